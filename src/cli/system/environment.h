// SPDX-License-Identifier: Apache-2.0
//
// Reads environment variables. No code outside src/cli does so.
#pragma once

#include <string>
#include <vector>

#include "heapprof/symbolize/debuginfod.h"

namespace heapprof {

// Returns all variables, as "NAME=VALUE".
std::vector<std::string> Environment();
// Returns PATH, and the folders that shells use if it is not set.
std::string ProgramSearchPath();
// Returns LD_LIBRARY_PATH; empty if it is not set.
std::string LibrarySearchPath();

// Returns the value of DEBUGINFOD_URLS; empty if it is not set.
std::string DebuginfodUrls();

DebuginfodEnvironment ReadDebuginfodEnvironment();

// Returns JEPROF_TOOLS, the default of --tools; empty if it is not set.
std::string JeprofTools();

// Returns false if NO_COLOR is set, or if TERM is empty or "dumb".
bool WantsColor();

// Returns true if the locale's encoding is UTF-8.
bool UsesUtf8();

// Returns the directory for the user's caches; empty if neither XDG_CACHE_HOME
// nor HOME is an absolute path.
std::string UserCacheDirectory();

}  // namespace heapprof
