// SPDX-License-Identifier: Apache-2.0
//
// Step 3 of a story (story.h): chooses the functions that a chain shows. These
// are, from caller to callee,
//   who    the first function of own code below the trunk,
//   fork   the first function in which the subtree differs from all others,
//   entry  the function of a library that own code calls,
//   last   the last function that the subtree's paths have in common.
// Some of them are often the same function. For example, of
//
//   main ┬ Server::Run ─ db::Write ┬ db::Log ─── db::Buffer ─ db::Grow
//        │                         └ db::Table ─ db::Buffer ─ db::Grow
//        └ Idle
//
// the part "Server::Run → db::Write" shows who and the entry. Its pieces,
// "db::Log → db::Grow" and "db::Table → db::Grow", show fork and last: what the
// part has already shown is not repeated.
#pragma once

#include <vector>

#include "view/path_tree.h"

namespace heapprof {

// Returns, by subtree, which of its nodes the chain shows; of a piece, none
// that its part has. `subtrees` are all parts or all pieces.
std::vector<std::vector<bool>> ChooseNames(
    const PathTree& tree, const std::vector<Subtree>& subtrees);

}  // namespace heapprof
