// SPDX-License-Identifier: Apache-2.0
//
// Files by build id from elfutils' debuginfod: those that its client has
// downloaded before, which are always searched, and its servers, which are
// asked only if the user wants that.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

enum class BuildIdFile : uint8_t { kExecutable, kDebugInfo };

class BuildIdServers {
 public:
  virtual ~BuildIdServers() = default;

  // The path of a copy on this machine. `build_id` is lower-case hex. The error
  // says why there is none; it does not repeat the build id.
  virtual Result<std::string> Fetch(BuildIdFile file,
                                    const std::string& build_id) = 0;
};

// What a list of tried places calls them.
inline constexpr const char* kServersPlace = "the servers in DEBUGINFOD_URLS";

// Opens the servers of DEBUGINFOD_URLS, whose value is `urls`. Loads
// libdebuginfod, which keeps downloads in the client's cache. An unreachable
// server is asked only once.
Result<std::unique_ptr<BuildIdServers>> OpenDebuginfod(std::string_view urls);

// Environment variables; empty if not set.
struct DebuginfodEnvironment {
  std::string cache_path;      // DEBUGINFOD_CACHE_PATH
  std::string xdg_cache_home;  // XDG_CACHE_HOME
  std::string home;            // HOME
};

// The folders in which the versions of the client keep their files, best first.
std::vector<std::string> DebuginfodCaches(
    const DebuginfodEnvironment& environment);

// The path of a file in such a folder.
std::string CachedFile(std::string_view cache, std::string_view build_id,
                       BuildIdFile file);

}  // namespace heapprof
