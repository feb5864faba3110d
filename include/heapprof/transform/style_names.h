// SPDX-License-Identifier: Apache-2.0
//
// Renames functions to the form that the user chose.
#pragma once

#include "heapprof/demangle/names.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives every function its StyledName. Placeholders for addresses without a
// name stay as they are. Afterwards functions may share a name; reports that go
// by name add them up.
void StyleNames(Profile& profile, NameStyle style);

}  // namespace heapprof
