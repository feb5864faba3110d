// SPDX-License-Identifier: Apache-2.0
//
// Whether a stack counts as having no name.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heapprof/profile/profile.h"

namespace heapprof {

// True if the code at an address has no name: that of its innermost call, which
// is the first of `lines` (see Location::lines), is a placeholder.
inline bool LacksName(const Profile& profile, const RowRange& lines) {
  return lines.count > 0 &&
         profile.functions[profile.lines[lines.first].function.index()]
             .unresolved;
}

// What a frame contributes to the names of its stack.
enum class FrameName : uint8_t {
  kKnown,
  kLacking,
  // Lacking, in a runtime library (see IsRuntimeLibrary()). Below the leaf, it
  // is one of the frames that start a program or a thread, and is not missed:
  // these are half of a short stack.
  kLackingInRuntime,
};

// Decides whether a stack has no name. It has none if its leaf has none,
// because tables charge the stack to its leaf. It also has none if at least
// half of its frames have none, because users look for their own code among the
// callers: if a stripped program calls g_malloc, only g_malloc has a name.
class StackNames {
 public:
  // Adds the next frame, leaf first. Returns true if it has no name and counts.
  bool Add(FrameName name) {
    const bool is_leaf = frames_ == 0;
    if (name == FrameName::kLackingInRuntime && !is_leaf) return false;
    const bool is_nameless = name != FrameName::kKnown;
    is_leaf_nameless_ |= is_leaf && is_nameless;
    ++frames_;
    if (is_nameless) ++nameless_;
    return is_nameless;
  }

  // A stack without frames has nothing to be named.
  bool AreLacking() const {
    return frames_ > 0 && (is_leaf_nameless_ || 2 * nameless_ >= frames_);
  }

 private:
  bool is_leaf_nameless_ = false;
  size_t nameless_ = 0;
  size_t frames_ = 0;
};

// `frames` are leaf first.
template <typename Frames, typename NameOf>
bool IsNamelessStack(const Frames& frames, const NameOf& name_of) {
  StackNames names;
  for (const auto& frame : frames) names.Add(name_of(frame));
  return names.AreLacking();
}

}  // namespace heapprof
