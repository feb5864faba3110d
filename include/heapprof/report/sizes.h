// SPDX-License-Identifier: Apache-2.0
//
// The table of the sizes of objects:
//
//        size       held  share    objects  samples  most by
//        96 B   12.0 KiB   0.6%        128        3  ns::Node::Make
//     4.0 KiB    2.0 MiB  99.4%        514       11  ns::Read
//
// In a comparison, "change" takes the place of "held". Bars and the names on
// their right have colours: those of the functions that hold most in all rows.
#pragma once

#include <string>

#include "heapprof/report/rows_options.h"
#include "heapprof/view/size_table.h"

namespace heapprof {

std::string WriteSizes(const SizeTable& table, const RowsOptions& options);

// Says of how much of the total only mean sizes are known; empty if of nothing.
std::string MeanSizesText(const SizeTable& table);

}  // namespace heapprof
