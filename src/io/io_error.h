// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/core.h>

#include "heapprof/base/error.h"

namespace heapprof {

// The error of a system call that has just failed, with the reason in errno:
// "dump.heap: cannot open: Permission denied".
inline std::unexpected<Error> IoError(const std::string& path,
                                      const char* verb) {
  return Fail(ErrorKind::kIo, fmt::format("{}: cannot {}: {}", path, verb,
                                          std::strerror(errno)));
}

}  // namespace heapprof
