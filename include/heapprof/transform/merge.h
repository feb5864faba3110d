// SPDX-License-Identifier: Apache-2.0
//
// Several profiles to one.
#pragma once

#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct MergeInput {
  Profile profile;
  Side side = Side::kNew;
};

// Joins the inputs: the samples of all are kept, each with its side. Rows are
// matched by what they mean in any process: mappings by build id (by path
// where there is none), locations by mapping and module address, threads by
// uid and name. Runtime addresses decide only for code outside any file.
// An address that one symbolized input cannot name has the name that another
// one of the same program gives it.
// Header data (period, time) is that of the first input.
Profile Merge(std::vector<MergeInput> inputs);

}  // namespace heapprof
