// SPDX-License-Identifier: Apache-2.0
//
// Whether a stack counts as having no name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "heapprof/profile/profile.h"

namespace heapprof {

// True if the code at an address has no name: that of its innermost call, which
// is the first of `lines` (see Location::lines), is a placeholder.
inline bool LacksName(const Profile& profile, const RowRange& lines) {
  return lines.count > 0 &&
         profile.functions[profile.lines[lines.first].function.index()]
             .unresolved;
}

// A stack has no name if its leaf has none, because tables charge the stack to
// its leaf. It also has none if at least half of its frames have none, because
// users look for their own code among the callers: if a stripped program calls
// g_malloc, only g_malloc has a name.
inline bool IsNamelessStack(bool is_leaf_nameless, size_t nameless_frames,
                            size_t frames) {
  return is_leaf_nameless || 2 * nameless_frames >= frames;
}

// `frames` are leaf first. A stack without frames has nothing to be named.
template <typename Frames, typename IsNameless>
bool IsNamelessStack(const Frames& frames, const IsNameless& is_nameless) {
  return !std::ranges::empty(frames) &&
         IsNamelessStack(
             is_nameless(*std::ranges::begin(frames)),
             static_cast<size_t>(std::ranges::count_if(frames, is_nameless)),
             static_cast<size_t>(std::ranges::ssize(frames)));
}

}  // namespace heapprof
