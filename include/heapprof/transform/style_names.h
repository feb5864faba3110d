// SPDX-License-Identifier: Apache-2.0
//
// Renames functions to the form that the user chose.
#pragma once

#include "heapprof/demangle/names.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives every function the name that StyledName() returns. A placeholder for an
// address without a name stays as it is. Afterwards, functions may have the
// same name; reports with one row per name add up their values.
void StyleNames(Profile& profile, NameStyle style);

}  // namespace heapprof
