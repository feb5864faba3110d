// SPDX-License-Identifier: Apache-2.0
#include "symbolize/paths.h"

#include <filesystem>

namespace heapprof {

namespace fs = std::filesystem;

std::string BaseName(std::string_view path) {
  return fs::path(path).filename().string();
}

bool SameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

bool FileExists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool IsBelow(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return path.starts_with(folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string Below(std::string_view root, std::string_view path) {
  while (root.ends_with('/')) root.remove_suffix(1);
  if (path.empty()) return std::string(root);
  return std::string(root) + (path.starts_with('/') ? "" : "/") +
         std::string(path);
}

}  // namespace heapprof
