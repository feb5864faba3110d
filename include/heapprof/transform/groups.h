// SPDX-License-Identifier: Apache-2.0
//
// Groups of stacks: the subsystems of a program, as its users define them. Each
// stack belongs to exactly one group, so that the groups add up to the total.
//
// A call matches a group if a pattern of the group matches its function, its
// source file or its binary, or, with Group::takes_own, if it is the user's own
// code. If it matches several groups, it counts as a match of the first of
// them. A stack belongs to
//   1. the group with Group::from_root that is matched nearest the root
//   2. if there is none, the group without it that is matched nearest the leaf
//      by a call that is not to an allocator (see OwnCode::AllocatorLines())
//   3. if there is none, the group that an allocator nearest the leaf matches
//   4. if there is none either, kOtherGroup
#pragma once

#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct Group {
  std::string name;
  // Match the full name of a function and its ShortName().
  std::vector<Regex> functions = {};
  std::vector<Regex> files = {};    // match the path of the source file
  std::vector<Regex> modules = {};  // match the path of the binary
  bool takes_own = false;           // matches own code: see OwnCode::IsOwn()
  bool from_root = false;
  bool is_built_in = false;  // most programs have only some of these
};

// Makes the group of each stack its root: a frame that represents no code, for
// which Location::is_group is true. FrameOfGroup() has its name. Adds a frame
// for kOtherGroup to the profile even if no stack has it. Returns the names of
// groups that have no stack, except built-in ones. Fails if a pattern takes too
// long to match.
Result<std::vector<std::string>> AddGroupRoots(const std::vector<Group>& groups,
                                               Profile& profile);

}  // namespace heapprof
