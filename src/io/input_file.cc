// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/input_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/out_of_memory.h"
#include "io/io_error.h"

namespace heapprof {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ > STDERR_FILENO) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

Result<ByteBuffer> ReadToEnd(int fd, const std::string& path,
                             uint64_t max_size) {
  ByteBuffer content;
  size_t size = 0;
  constexpr size_t kChunk = size_t{1} << 20;
  for (;;) {
    if (content.size() - size < kChunk)
      content.Resize(content.size() + std::max(content.size() / 2, kChunk));
    const ssize_t got = read(fd, content.data() + size, kChunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError(path, "read");
    size += static_cast<size_t>(got);
    if (got == 0) {
      content.Resize(size);
      return content;
    }
    if (size > max_size) {
      return Fail(ErrorKind::kIo,
                  fmt::format("{}: more than {} bytes", path, max_size));
    }
  }
}

}  // namespace

Result<InputFile> InputFile::Open(const std::string& path,
                                  const HeadCheck& check, uint64_t max_size) {
  if (path.empty())
    return Fail(ErrorKind::kIo, "'': an empty argument names no file");
  const bool is_stdin = path == "-";
  const FileDescriptor fd(is_stdin ? STDIN_FILENO
                                   : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0 && errno == ENOENT && path.find_first_of("*?[") != path.npos)
    return Fail(ErrorKind::kIo,
                fmt::format("{}: no such file; a shell replaces a pattern if a "
                            "file matches and it is not in quotes",
                            path));
  if (fd.get() < 0) return IoError(path, "open");
  struct stat status = {};
  if (fstat(fd.get(), &status) != 0) return IoError(path, "stat");
  if (S_ISDIR(status.st_mode)) {
    return Fail(ErrorKind::kIo, fmt::format("{}: is a directory", path));
  }

  InputFile file;
  file.path_ = is_stdin ? "standard input" : path;
  if (S_ISREG(status.st_mode) && status.st_size > 0 && !is_stdin) {
    file.mtime_ = status.st_mtime;
    const auto size = static_cast<size_t>(status.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (data == MAP_FAILED && errno == ENOMEM) FailAllocation();
    if (data == MAP_FAILED) return IoError(path, "map");
    file.mapping_ = data;
    file.mapping_size_ = size;
    file.range_ = MappedRange(data, size, path);
    file.bytes_ = {static_cast<const char*>(data), size};
  } else {
    auto content = ReadToEnd(fd.get(), file.path_, max_size);
    if (!content) return std::unexpected(content.error());
    file.owned_ = std::move(*content);
    file.bytes_ = file.owned_.view();
  }

  if (const auto packing = FindCompressedFormat(file.bytes_)) {
    const uint64_t limit =
        std::min(max_size, InflatedLimit(file.bytes_.size()));
    auto inflated = Unpack(*packing, file.bytes_, limit, check);
    if (!inflated) {
      return Fail(inflated.error().kind,
                  fmt::format("{}: {}", file.path_, inflated.error().message));
    }
    file.owned_ = std::move(inflated->bytes);
    file.inflate_problem_ = std::move(inflated->problem);
    file.bytes_ = file.owned_.view();
  }
  return file;
}

void InputFile::Swap(InputFile& other) {
  std::swap(path_, other.path_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_size_, other.mapping_size_);
  std::swap(range_, other.range_);
  std::swap(owned_, other.owned_);
  std::swap(inflate_problem_, other.inflate_problem_);
  std::swap(mtime_, other.mtime_);
}

InputFile::InputFile(InputFile&& other) noexcept { Swap(other); }

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  Swap(other);
  return *this;
}

InputFile::~InputFile() {
  range_ = {};  // must be unregistered before it is unmapped
  if (mapping_ != nullptr) munmap(mapping_, mapping_size_);
}

}  // namespace heapprof
