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

// Joins the inputs. All samples are kept. Each gets the side of its input, and
// as its run the number of the input among those of that side. Rows of
// different inputs are matched by properties that do not depend on the process:
//   mappings   build id; without one, the path
//   locations  mapping, module address and functions; code outside any file
//              has its runtime address as module address
//   threads    uid and name
// If an input is itself a difference, the values that it subtracts count in the
// first run of the other side. An address that one symbolized input cannot name
// gets its name from another symbolized input of the same program. The time
// comes from the first input that states one; the sampling period is the
// longest.
Profile Merge(std::vector<MergeInput> inputs);

}  // namespace heapprof
