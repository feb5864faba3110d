// SPDX-License-Identifier: Apache-2.0
//
// The names of mappings that are no files.
#pragma once

#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

// For code that is in no mapping.
inline constexpr std::string_view kNoMapping = "[unknown]";

// For memory that has no name in the memory map, such as code that was made at
// run time.
inline constexpr std::string_view kAnonymousMapping = "[anon]";

// What every report calls code in no mapping if the dump has a memory map.
inline constexpr std::string_view kOutsideMap = "outside the memory map";

inline bool IsAnonymous(const Profile& profile, const Mapping& mapping) {
  return !mapping.is_file &&
         profile.String(mapping.filename) == kAnonymousMapping;
}

}  // namespace heapprof
