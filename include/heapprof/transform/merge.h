// SPDX-License-Identifier: Apache-2.0
//
// Merges several profiles into one.
#pragma once

#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct MergeInput {
  Profile profile;
  Side side = Side::kNew;
};

// Joins the inputs. All samples are kept, each with its side. Rows are matched
// by properties that do not depend on the process: mappings by build id (by
// path if there is none), locations by mapping and module address, threads by
// uid and name. Runtime addresses are used only for code outside any file. An
// address that one symbolized input cannot name gets its name from another
// input of the same program. Header data (period, time) comes from the first
// input.
Profile Merge(std::vector<MergeInput> inputs);

}  // namespace heapprof
