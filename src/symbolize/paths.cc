// SPDX-License-Identifier: Apache-2.0
#include "symbolize/paths.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace heapprof {

namespace fs = std::filesystem;

// Returns false if a part of the path, between slashes, is empty or begins with
// a dot.
bool IsPlainPath(std::string_view path) {
  for (size_t at = 0; at != path.npos; at = path.find('/', at)) {
    if (at != 0 || path.starts_with('/')) ++at;
    if (at == path.size() || path[at] == '/' || path[at] == '.') return false;
  }
  return true;
}

std::string NormalPath(std::string_view path) {
  // Most paths of source files are in normal form.
  if (IsPlainPath(path)) return std::string(path);
  const bool is_absolute = path.starts_with('/');
  std::vector<std::string_view> parts;
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part != "..")
      parts.push_back(part);
    else if (!parts.empty() && parts.back() != "..")
      parts.pop_back();
    else if (!is_absolute)
      parts.push_back(part);
  }
  std::string normal = is_absolute ? "/" : "";
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) normal += '/';
    normal += parts[i];
  }
  return normal.empty() && !path.empty() ? "." : normal;
}

std::string BuildIdPath(std::string_view id) {
  constexpr size_t kPrefixLength = 2;
  if (id.size() <= kPrefixLength) return "";
  return fmt::format(".build-id/{}/{}", id.substr(0, kPrefixLength),
                     id.substr(kPrefixLength));
}

bool FileExists(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return false;
  // The debuginfod client creates an empty file if no server has the file.
  return !S_ISREG(status.st_mode) || status.st_size != 0;
}

std::string Below(std::string_view root, std::string_view path) {
  while (root.ends_with('/')) root.remove_suffix(1);
  if (path.empty()) return std::string(root);
  return std::string(root) + (path.starts_with('/') ? "" : "/") +
         std::string(path);
}

std::string ResolveBelow(std::string_view root, std::string_view path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  int links = 0;
  fs::path resolved = "/";
  std::vector<fs::path> rest;  // to be resolved, the next one last
  const auto push = [&rest](const fs::path& parts) {
    const std::vector<fs::path> added(parts.begin(), parts.end());
    rest.insert(rest.end(), added.rbegin(), added.rend());
  };
  push(path);
  while (!rest.empty()) {
    const fs::path part = std::move(rest.back());
    rest.pop_back();
    if (part.empty() || part == "." || part == "/") continue;
    if (part == "..") {
      resolved = resolved.parent_path();
      continue;
    }
    std::error_code error;
    const fs::path link =
        fs::read_symlink(Below(root, (resolved / part).string()), error);
    if (error || ++links > kMostLinks) {
      resolved /= part;
      continue;
    }
    if (link.is_absolute()) resolved = "/";
    push(link);
  }
  return Below(root, resolved.string());
}

}  // namespace heapprof
