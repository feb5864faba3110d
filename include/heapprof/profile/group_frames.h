// SPDX-License-Identifier: Apache-2.0
//
// The frames that stand for groups, the roots of stacks: see AddGroupRoots() in
// transform/groups.h.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// The group of the stacks that no other group has, and the frame for it.
inline constexpr std::string_view kOtherGroup = "[other]";

// Returns the name of the frame that stands for a group: "[RocksDB]".
inline std::string FrameOfGroup(std::string_view group) {
  return group == kOtherGroup ? std::string(group)
                              : '[' + std::string(group) + ']';
}

// Returns the group that a frame with this name stands for.
inline std::string_view GroupOfFrame(std::string_view frame) {
  return frame == kOtherGroup ? frame : frame.substr(1, frame.size() - 2);
}

}  // namespace heapprof
