// SPDX-License-Identifier: Apache-2.0
//
// What the environment says; nothing below the command line reads it.
#pragma once

#include <string>

#include "heapprof/symbolize/debuginfod.h"

namespace heapprof {

// The value of DEBUGINFOD_URLS; empty if it is not set.
std::string DebuginfodUrls();

DebuginfodEnvironment ReadDebuginfodEnvironment();

// What stands for --tools where that is not given; empty: nothing.
std::string JeprofTools();

// False with NO_COLOR, and on terminals that know none.
bool WantsColor();

// True if the locale's characters are UTF-8.
bool UsesUtf8();

// Where a user's caches are; empty if there is neither XDG_CACHE_HOME nor HOME.
std::string UserCacheDirectory();

}  // namespace heapprof
