// SPDX-License-Identifier: Apache-2.0
//
// Step 1 of a story (story.h): makes paths of the stacks.
//
// A path has the calls of a stack that tell something, root first. It has no
// function twice: if a recursion returns to a function, the path forgets the
// calls since then. Thus "main;eval;call;eval;list" becomes "main;eval;list".
// Of a deeper path than any real program has, the end is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/base/id_table.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/story.h"

namespace heapprof {

// The most calls of a path. Telling a story takes time that grows with the
// square of this number.
inline constexpr size_t kMostCalls = 4096;

class CallPaths {
 public:
  // Keeps references to `profile` and `roles`, which are by index of
  // Profile::lines.
  CallPaths(const Profile& profile, const FrameLabels& labels,
            const std::vector<StoryRole>& roles);

  // Returns the path of a stack, the same for all stacks with the same path.
  uint32_t Add(StackId stack);

  size_t size() const { return ranges_.size(); }
  // The calls of a path, as indices of Profile::lines.
  std::span<const uint32_t> Of(uint32_t path) const {
    return std::span(lines_).subspan(ranges_[path].first, ranges_[path].count);
  }
  uint32_t LabelOf(uint32_t line) const { return label_of_line_[line]; }
  StoryRole RoleOf(uint32_t line) const { return roles_[line]; }

 private:
  // Adds a call to path_, if it tells something there.
  void AddCall(uint32_t line);

  const Profile& profile_;
  const std::vector<StoryRole>& roles_;
  std::vector<uint32_t> label_of_line_;  // none for StoryRole::kNone
  std::vector<uint32_t> lines_;          // of one path after the other
  std::vector<RowRange> ranges_;         // by path
  IdTable index_;                        // of paths
  // Working data of Add(): the path, and by label its position in there.
  std::vector<uint32_t> path_;
  std::vector<uint32_t> position_of_label_;
};

}  // namespace heapprof
