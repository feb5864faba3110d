// SPDX-License-Identifier: Apache-2.0
//
// Checks that the two sides of a comparison are comparable.
#pragma once

#include <span>

#include "heapprof/base/diagnostics.h"
#include "heapprof/transform/merge.h"

namespace heapprof {

// Warns if the sides differ in the sampling period or the program. Programs are
// different if the names of their binaries differ and no equal build ids show
// otherwise. Call this after the binaries have been found.
void WarnIfSidesDiffer(std::span<const MergeInput> inputs,
                       Diagnostics& diagnostics);

}  // namespace heapprof
