// SPDX-License-Identifier: Apache-2.0
//
// A first file of groups for a program, which its owner edits.
#pragma once

#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/transform/group_candidates.h"

namespace heapprof {

struct SuggestedGroup {
  std::string name;
  std::string toml = {};     // its [[groups]]
  double value = 0;          // what its stacks hold
  std::string comment = {};  // on the line before the table, if not empty
  // The namespace or crate that it stands for. The groups inside it must
  // come first in the file.
  std::string scope = {};
};

// Makes a group of each candidate; built-in groups take the place of those that
// they match. Leaves out candidates with names that a group cannot have.
Result<std::vector<SuggestedGroup>> SuggestGroups(
    const std::vector<GroupCandidate>& candidates);

// Returns a file that ParseGroups() reads: the largest group first, but none
// before a group of a namespace inside its own. Each line of `heading` becomes
// a comment.
std::string WriteGroups(std::vector<SuggestedGroup> groups,
                        const std::vector<std::string>& heading);

}  // namespace heapprof
