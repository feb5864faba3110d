// SPDX-License-Identifier: Apache-2.0
//
// Which entries are one's own code; shortens the paths to findings, which begin
// with _start and the like.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

// Returns by entry whether a call that it stands for is in own code. `is_own`
// is indexed like Profile::lines. Entries that are no calls are all own code.
std::vector<bool> OwnEntries(const Profile& profile,
                             const Comparison& comparison,
                             const std::vector<bool>& is_own);

// Adds the entries that are the leaf of a stack: the code that allocates.
void AddLeaves(const Comparison& comparison, std::vector<bool>& entries);

// Removes what comes before the first of the names `own`. Keeps a path with
// none of them.
void BeginWithOwnCode(const std::set<std::string>& own,
                      std::vector<std::string>& path);

}  // namespace heapprof
