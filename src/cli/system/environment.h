// SPDX-License-Identifier: Apache-2.0
//
// Reads environment variables. No code outside src/cli does so.
#pragma once

#include <string>

#include "heapprof/symbolize/debuginfod.h"

namespace heapprof {

// The value of DEBUGINFOD_URLS; empty if it is not set.
std::string DebuginfodUrls();

DebuginfodEnvironment ReadDebuginfodEnvironment();

// JEPROF_TOOLS, the default of --tools; or empty.
std::string JeprofTools();

// False if NO_COLOR is set, or if TERM is empty or "dumb".
bool WantsColor();

// True if the locale's encoding is UTF-8.
bool UsesUtf8();

// The directory for the user's caches; empty if neither XDG_CACHE_HOME nor HOME
// is an absolute path.
std::string UserCacheDirectory();

}  // namespace heapprof
