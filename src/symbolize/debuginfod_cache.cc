// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "heapprof/symbolize/debuginfod.h"
#include "symbolize/paths.h"

namespace heapprof {

std::vector<std::string> DebuginfodCaches(
    const DebuginfodEnvironment& environment) {
  constexpr std::string_view kFolder = "debuginfod_client";
  const auto& [cache_path, xdg_cache_home, home] = environment;
  std::vector<std::string> caches;
  const auto add = [&caches](std::string path) {
    if (std::ranges::find(caches, path) == caches.end())
      caches.push_back(std::move(path));
  };
  if (!cache_path.empty()) add(cache_path);
  // The first versions of the client used this folder, and later versions use
  // it if it exists.
  if (!home.empty()) add(Below(home, ".debuginfod_client_cache"));
  if (!xdg_cache_home.empty()) add(Below(xdg_cache_home, kFolder));
  if (!home.empty()) add(Below(home, fmt::format(".cache/{}", kFolder)));
  return caches;
}

std::string CachedFile(std::string_view cache, std::string_view build_id,
                       BuildIdFile file) {
  return Below(
      cache, fmt::format(
                 "{}/{}", build_id,
                 file == BuildIdFile::kDebugInfo ? "debuginfo" : "executable"));
}

}  // namespace heapprof
