// SPDX-License-Identifier: Apache-2.0
//
// Small files of /proc and /sys: the kernel makes their content when they are
// read, and says that their size is 0.
#pragma once

#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace heapprof {

// Returns the content; nothing, with errno, if it cannot be read.
inline std::optional<std::string> ReadKernelFile(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad() || errno != 0) return std::nullopt;
  return text;
}

}  // namespace heapprof
