// SPDX-License-Identifier: Apache-2.0
//
// The histogram of the sizes of objects in an HTML page: a bar for each class
// of sizes, divided among the functions that are charged with most. It needs no
// scripts.
#pragma once

#include <string>

#include "heapprof/view/size_table.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Returns the figure; "" if no row has a known size. In a comparison, bars show
// changes.
std::string SizeHistogramHtml(const SizeTable& sizes, bool is_comparison,
                              Unit unit);

}  // namespace heapprof
