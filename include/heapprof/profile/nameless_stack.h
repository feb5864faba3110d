// SPDX-License-Identifier: Apache-2.0
//
// Whether a stack counts as having no name.
#pragma once

#include <cstddef>
#include <cstdint>
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
  explicit StackNames(FrameName leaf)
      : is_leaf_nameless_(leaf != FrameName::kKnown),
        nameless_(is_leaf_nameless_) {}

  // Adds the next frame towards the root. Without branches, because a large
  // dump has many frames.
  void AddCaller(FrameName name) {
    frames_ += name != FrameName::kLackingInRuntime;
    nameless_ += name == FrameName::kLacking;
  }

  bool AreLacking() const {
    return is_leaf_nameless_ || 2 * nameless_ >= frames_;
  }

 private:
  bool is_leaf_nameless_;
  size_t nameless_;
  size_t frames_ = 1;
};

// `frames` are leaf first. A stack without frames has nothing to be named.
template <typename Frames, typename NameOf>
bool IsNamelessStack(const Frames& frames, const NameOf& name_of) {
  auto frame = std::begin(frames);
  const auto end = std::end(frames);
  if (frame == end) return false;
  StackNames names(name_of(*frame));
  while (++frame != end) names.AddCaller(name_of(*frame));
  return names.AreLacking();
}

}  // namespace heapprof
