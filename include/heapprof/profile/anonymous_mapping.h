// SPDX-License-Identifier: Apache-2.0
//
// Memory without a file or a name in the memory map, such as code that was made
// at run time.
#pragma once

#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

// What the mappings of such memory are called.
inline constexpr std::string_view kAnonymousMapping = "[anon]";

inline bool IsAnonymous(const Profile& profile, const Mapping& mapping) {
  return !mapping.is_file &&
         profile.String(mapping.filename) == kAnonymousMapping;
}

}  // namespace heapprof
