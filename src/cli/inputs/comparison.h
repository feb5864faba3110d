// SPDX-License-Identifier: Apache-2.0
//
// Whether the two sides of a comparison can be compared.
#pragma once

#include <span>

#include "heapprof/base/diagnostics.h"
#include "heapprof/transform/merge.h"

namespace heapprof {

// Warns if the sides were sampled with different periods, and if they are of
// different programs: neither the name of the binary nor its build id is the
// same. Called when the binaries have been found.
void WarnOfUnlikeSides(std::span<const MergeInput> inputs,
                       Diagnostics& diagnostics);

}  // namespace heapprof
