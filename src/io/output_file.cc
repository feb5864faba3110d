// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace heapprof {
namespace {

constexpr mode_t kDefaultMode = 0666;

std::unexpected<Error> IoError(const std::string& path, const char* verb) {
  return Fail(ErrorKind::kIo, fmt::format("{}: cannot {}: {}", path, verb,
                                          std::strerror(errno)));
}

Result<void> WriteDirectly(const std::string& path, std::string_view bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return IoError(path, "open");
  Result<void> written = WriteAll(fd, bytes, path);
  if (close(fd) != 0 && written) return IoError(path, "write");
  return written;
}

mode_t CurrentUmask() {
  const mode_t mask = umask(0);
  umask(mask);
  return mask;
}

// Writes, flushes and names the temporary file; the caller removes it if this
// fails.
Result<void> FillAndRename(int fd, const std::string& temporary,
                           const std::string& path, mode_t mode,
                           std::string_view bytes) {
  Result<void> written = WriteAll(fd, bytes, path);
  if (written && fchmod(fd, mode) != 0) written = IoError(path, "write");
  if (written && fsync(fd) != 0) written = IoError(path, "write");
  if (close(fd) != 0 && written) written = IoError(path, "write");
  if (written && rename(temporary.c_str(), path.c_str()) != 0)
    written = IoError(path, "write");
  return written;
}

}  // namespace

Result<void> WriteAll(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t put = write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return IoError(name, "write");
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return {};
}

Result<void> WriteFileAtomically(const std::string& path,
                                 std::string_view bytes) {
  struct stat status = {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) return WriteDirectly(path, bytes);

  // A symbolic link keeps pointing at its file; the file is what changes.
  std::string target = path;
  if (char* resolved = exists ? realpath(path.c_str(), nullptr) : nullptr) {
    target = resolved;
    std::free(resolved);
  }
  std::string temporary = target + ".XXXXXX";
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return IoError(path, "write");
  const mode_t mode =
      exists ? status.st_mode & 07777 : kDefaultMode & ~CurrentUmask();
  Result<void> written = FillAndRename(fd, temporary, target, mode, bytes);
  if (!written) unlink(temporary.c_str());
  return written;
}

}  // namespace heapprof
