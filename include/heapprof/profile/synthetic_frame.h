// SPDX-License-Identifier: Apache-2.0
//
// Frames that stand for no code, such as "[no stack]", "[allocator only]", the
// groups and the threads.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// True for such a frame, whether it was added here or came with an input, which
// may give it an address.
inline bool IsSynthetic(const Profile& profile, const Location& location) {
  if (!location.mapping.IsNone() || location.lines.count != 1) return false;
  const Line& line = profile.LocationLines(location).front();
  return profile.String(profile.functions[line.function.index()].name)
      .starts_with('[');
}

}  // namespace heapprof
