// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// True for the C and C++ runtime libraries: libc.so.6, libstdc++.so.6,
// ld-linux-x86-64.so.2.
bool IsRuntimeLibrary(std::string_view path);

// By MappingId: whether its file is such a library.
std::vector<bool> RuntimeMappings(const Profile& profile);

}  // namespace heapprof
