// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/as_text.h"
#include "heapprof/base/drop_pages.h"
#include "heapprof/io/pipe.h"
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
  const bool is_mapped =
      S_ISREG(status.st_mode) && status.st_size > 0 && !is_stdin;
  if (is_mapped) file.mtime_ = status.st_mtime;
  Result<void> result =
      is_mapped ? file.Map(fd.get(), static_cast<uint64_t>(status.st_size))
                : file.ReadToEnd(fd.get(), max_size);
  if (result) result = file.InflateIfPacked(check, max_size);
  if (!result) return std::unexpected(result.error());
  return file;
}

Result<void> InputFile::Map(int fd, uint64_t size) {
  auto mapped = MappedBytes::Map(fd, size, path_);
  if (!mapped) return std::unexpected(mapped.error());
  mapped_ = std::move(*mapped);
  bytes_ = AsText(mapped_.bytes());
  return {};
}

Result<void> InputFile::ReadToEnd(int fd, uint64_t max_size) {
  constexpr size_t kChunk = size_t{1} << 20;
  EnlargePipe(fd);
  size_t size = 0;
  for (;;) {
    if (owned_.size() - size < kChunk)
      owned_.Resize(owned_.size() + std::max(owned_.size() / 2, kChunk));
    const ssize_t got = read(fd, owned_.data() + size, kChunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError(path_, "read");
    if (got == 0) break;
    size += static_cast<size_t>(got);
    if (size > max_size)
      return Fail(ErrorKind::kIo,
                  fmt::format("{}: more than {} bytes", path_, max_size));
  }
  owned_.Resize(size);
  bytes_ = owned_.view();
  return {};
}

Result<void> InputFile::InflateIfPacked(const HeadCheck& check,
                                        uint64_t max_size) {
  const auto format = FindCompressedFormat(bytes_);
  if (!format) return {};
  const uint64_t limit = std::min(max_size, InflatedLimit(bytes_.size()));
  auto inflated = Unpack(*format, bytes_, limit, check);
  if (!inflated)
    return Fail(inflated.error().kind,
                fmt::format("{}: {}", path_, inflated.error().message));
  owned_ = std::move(inflated->bytes);
  inflate_problem_ = std::move(inflated->problem);
  bytes_ = owned_.view();
  return {};
}

void InputFile::DropPages(std::string_view part) const {
  if (owned_.size() == 0) heapprof::DropPages(part.data(), part.size());
}

}  // namespace heapprof
