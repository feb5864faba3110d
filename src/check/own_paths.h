// SPDX-License-Identifier: Apache-2.0
//
// Which entries allocate; shortens the paths to findings, which begin with
// _start and the like.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "heapprof/view/comparison.h"

namespace heapprof {

// Adds the entries that are the leaf of a stack: the code that allocates.
void AddLeaves(const Comparison& comparison, std::vector<bool>& entries);

// Removes what comes before the first of the names `own`. Keeps a path with
// none of them.
void BeginWithOwnCode(const std::set<std::string>& own,
                      std::vector<std::string>& path);

}  // namespace heapprof
