// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/regular_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/core.h>

#include "io/io_error.h"

namespace heapprof {

Result<int> OpenRegularFile(const std::string& path, struct stat& status) {
  const auto not_regular = [&path] {
    return Fail(ErrorKind::kIo, fmt::format("{}: not a regular file", path));
  };
  if (stat(path.c_str(), &status) != 0) return IoError(path, "open");
  if (!S_ISREG(status.st_mode)) return not_regular();
  // Another program may replace the file between the two calls. The flags then
  // keep open() from waiting, and from making a terminal the controlling one.
  const int fd =
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return IoError(path, "open");
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) return fd;
  close(fd);
  return not_regular();
}

}  // namespace heapprof
