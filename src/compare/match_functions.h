// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compare/build_sets.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives functions that are the same the same name, as AlignBuilds() says.
// `builds` says which builds have each function, by FunctionId.
void MatchFunctions(const std::vector<BuildSet>& builds, Profile& profile);

}  // namespace heapprof
