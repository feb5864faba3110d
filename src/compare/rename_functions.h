// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compare/function_names.h"
#include "compare/matches.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives the functions of each set of names, if several builds have them, one
// name: the only name that has an argument list, or what the names agree in. If
// other functions have that one, the set keeps one of its own names.
void RenameFunctions(const std::vector<NameInBuilds>& names, Matches& matches,
                     Profile& profile);

}  // namespace heapprof
