// SPDX-License-Identifier: Apache-2.0
//
// Shortens the paths to findings, which begin with _start and the like.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

// Returns the names of the entries that stand for one's own code, if entries
// are calls. `is_own` is indexed like Profile::lines.
std::set<std::string> NamesOfOwnCode(const Profile& profile,
                                     const Comparison& comparison,
                                     const std::vector<bool>& is_own);

// Removes what comes before the first of the names `own`. Keeps a path with
// none of them.
void BeginWithOwnCode(const std::set<std::string>& own,
                      std::vector<std::string>& path);

}  // namespace heapprof
