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

// Joins the inputs. All samples are kept. Sample::side becomes the side of the
// input, and Sample::run its index among the inputs of this side. Rows of
// several inputs become one row if these properties are equal:
//   mappings   build id; without one, the path
//   locations  mapping, module address and functions; code outside any file
//              has its runtime address as module address
//   stacks     locations
//   threads    uid and name
// If an input is itself a difference, the values that it subtracts count in the
// first run of the other side. If a symbolized input has no name for an
// address, it gets the name from another symbolized input of the same program.
// The time is that of the first input that has one; the sampling period is the
// longest of all inputs.
Profile Merge(std::vector<MergeInput> inputs);

}  // namespace heapprof
