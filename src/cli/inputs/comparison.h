// SPDX-License-Identifier: Apache-2.0
//
// Checks that the two sides of a comparison are comparable.
#pragma once

#include <span>

#include "heapprof/base/diagnostics.h"
#include "heapprof/transform/merge.h"

namespace heapprof {

// Warns if the sides have different sampling periods or are of different
// programs, which differ in the name of the binary and in its build id. To be
// called when the binaries have been found.
void WarnIfSidesDiffer(std::span<const MergeInput> inputs,
                       Diagnostics& diagnostics);

}  // namespace heapprof
