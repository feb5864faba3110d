// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/input_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/out_of_memory.h"

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

std::unexpected<Error> IoError(const std::string& path, const char* verb) {
  return Fail(ErrorKind::kIo, fmt::format("{}: cannot {}: {}", path, verb,
                                          std::strerror(errno)));
}

Result<std::string> ReadToEnd(int fd, const std::string& path,
                              uint64_t max_size) {
  std::string content;
  constexpr size_t kChunk = size_t{1} << 20;
  for (;;) {
    const size_t before = content.size();
    content.resize(before + kChunk);
    const ssize_t got = read(fd, content.data() + before, kChunk);
    if (got < 0 && errno == EINTR) {
      content.resize(before);
      continue;
    }
    if (got < 0) return IoError(path, "read");
    content.resize(before + static_cast<size_t>(got));
    if (got == 0) return content;
    if (content.size() > max_size) {
      return Fail(ErrorKind::kIo,
                  fmt::format("{}: more than {} bytes", path, max_size));
    }
  }
}

}  // namespace

Result<InputFile> InputFile::Open(const std::string& path,
                                  const HeadCheck& check, uint64_t max_size) {
  const bool is_stdin = path == "-";
  const FileDescriptor fd(is_stdin ? STDIN_FILENO
                                   : open(path.c_str(), O_RDONLY | O_CLOEXEC));
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
    file.bytes_ = file.owned_;
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
    file.bytes_ = file.owned_;
  }
  return file;
}

void InputFile::Swap(InputFile& other) {
  // If `bytes_` refers to `owned_`, it must be set again after the swap. The
  // reason is that a std::string stores a short text within itself, so that
  // the text moves when the string is swapped.
  const bool owned = mapping_ == nullptr || bytes_.data() == owned_.data();
  const bool other_owned =
      other.mapping_ == nullptr || other.bytes_.data() == other.owned_.data();
  std::swap(path_, other.path_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_size_, other.mapping_size_);
  std::swap(range_, other.range_);
  std::swap(owned_, other.owned_);
  std::swap(inflate_problem_, other.inflate_problem_);
  std::swap(mtime_, other.mtime_);
  if (other_owned) bytes_ = owned_;
  if (owned) other.bytes_ = other.owned_;
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
