// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/same_file.h"

#include <filesystem>
#include <system_error>

namespace heapprof {

namespace fs = std::filesystem;

bool SameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

std::string RealPath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  if (error) return path;
  const fs::path real = fs::weakly_canonical(absolute, error);
  return error ? path : real.string();
}

}  // namespace heapprof
