// SPDX-License-Identifier: Apache-2.0
//
// Renames functions to the form that the user asked for.
#pragma once

#include "heapprof/demangle/names.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives every function its StyledName. What stands for an address without a
// name keeps it. Functions may then share a name: reports that go by names add
// them up.
void StyleNames(Profile& profile, NameStyle style);

}  // namespace heapprof
