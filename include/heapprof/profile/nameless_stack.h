// SPDX-License-Identifier: Apache-2.0
//
// Whether a stack counts as having no name.
#pragma once

#include <algorithm>
#include <iterator>

namespace heapprof {

// A stack has no name if its leaf has none, because tables charge the stack to
// its leaf. It also has none if at least half of its frames have none, because
// users look for their own code among the callers: if a stripped program calls
// g_malloc, only g_malloc has a name. `frames` are leaf first.
template <typename Frames, typename IsNameless>
bool IsNamelessStack(const Frames& frames, const IsNameless& is_nameless) {
  return !std::ranges::empty(frames) &&
         (is_nameless(*std::ranges::begin(frames)) ||
          2 * std::ranges::count_if(frames, is_nameless) >=
              std::ranges::ssize(frames));
}

}  // namespace heapprof
