// SPDX-License-Identifier: Apache-2.0
//
// The stacks of a profile without the calls that tell nothing, for stories.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/base/id_table.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/story.h"

namespace heapprof {

// Paths of calls, root first. No function is twice in a path: of a recursion,
// only the calls since it returned to a function for the last time are left.
class CallPaths {
 public:
  // Keeps references to `profile` and `roles`, which are by index of
  // Profile::lines.
  CallPaths(const Profile& profile, const FrameLabels& labels,
            const std::vector<StoryRole>& roles);

  // Returns the path of a stack. Equal paths are one.
  uint32_t Add(StackId stack);

  size_t size() const { return ranges_.size(); }
  // The calls of a path, as indices of Profile::lines.
  std::span<const uint32_t> Of(uint32_t path) const {
    return std::span(lines_).subspan(ranges_[path].first, ranges_[path].count);
  }
  uint32_t LabelOf(uint32_t line) const { return label_of_line_[line]; }
  StoryRole RoleOf(uint32_t line) const { return roles_[line]; }

 private:
  void Step(uint32_t line);

  const Profile& profile_;
  const std::vector<StoryRole>& roles_;
  std::vector<uint32_t> label_of_line_;  // none for StoryRole::kNone
  std::vector<uint32_t> lines_;          // of one path after the other
  std::vector<RowRange> ranges_;         // by path
  IdTable numbers_;                      // of paths, from 1
  // Working data of Add().
  std::vector<uint32_t> path_;
  std::vector<uint32_t> place_of_label_;  // in path_
};

}  // namespace heapprof
