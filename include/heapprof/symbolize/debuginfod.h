// SPDX-License-Identifier: Apache-2.0
//
// Finds files by build id with elfutils' debuginfod. The cache of the
// debuginfod client is always searched. The servers are asked only with
// --debuginfod.
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

  // Gets a file from the servers, and returns the path of the copy on this
  // machine. `build_id` is lower-case hex. An error says why there is no copy;
  // it does not repeat the build id.
  virtual Result<std::string> Fetch(BuildIdFile file,
                                    const std::string& build_id) = 0;
};

// The TriedFile::path of the servers, in a list of the places that were tried
// for a file.
inline constexpr const char* kServersPlace = "the servers in DEBUGINFOD_URLS";

// Opens the servers in `urls`, the value of DEBUGINFOD_URLS. Loads
// libdebuginfod, which stores downloads in the client's cache. After the
// servers could not be reached once, Fetch() does not ask them again.
Result<std::unique_ptr<BuildIdServers>> OpenDebuginfod(std::string_view urls);

// The environment variables that say where the client's cache is; empty if not
// set.
struct DebuginfodEnvironment {
  std::string cache_path;      // DEBUGINFOD_CACHE_PATH
  std::string xdg_cache_home;  // XDG_CACHE_HOME
  std::string home;            // HOME
};

// Returns the folders that the client may use as its cache, best first. Which
// folder it uses depends on the version of the client.
std::vector<std::string> DebuginfodCaches(
    const DebuginfodEnvironment& environment);

// Returns the path that a file has in the cache folder `cache`. The file may
// not be there.
std::string CachedFile(std::string_view cache, std::string_view build_id,
                       BuildIdFile file);

}  // namespace heapprof
