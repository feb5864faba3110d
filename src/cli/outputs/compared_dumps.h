// SPDX-License-Identifier: Apache-2.0
//
// How reports name the dumps of the sides of a comparison.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/report/compared_dump.h"
#include "heapprof/report/input_facts.h"

namespace heapprof {

// Returns how titles name the dumps of a side: "a.heap", "a.heap and 2 more"
// or, in a comparison, "mean of a.heap and 2 more". Empty if the side has none.
// Counts files: a baseline that holds several dumps is one.
std::string DumpsTitle(std::span<const InputFacts> inputs, Side side,
                       bool with_path);

// Returns what the report of a comparison says about the dumps of each side.
Sides<std::vector<ComparedDump>> DumpsBySide(
    std::span<const InputFacts> inputs);

}  // namespace heapprof
