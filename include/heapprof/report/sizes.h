// SPDX-License-Identifier: Apache-2.0
//
// The table of the sizes of objects:
//
//        size       held  share    objects  samples  most by
//        96 B   12.0 KiB   0.6%        128        3  ns::Node::Make
//     4.0 KiB    2.0 MiB  99.4%        514       11  ns::Read
//
// In a comparison, "change" takes the place of "held".
#pragma once

#include <cstddef>
#include <string>

#include "heapprof/view/size_table.h"
#include "heapprof/view/units.h"

namespace heapprof {

struct SizesOptions {
  Unit unit = Unit::kMegabytes;
  bool is_exact = false;  // every allocation was sampled
  bool is_comparison = false;
  size_t top = 0;  // rows to print, the largest ones; 0 = all
  // The width of lines in characters; longer names are shortened. 0 = no limit.
  size_t width = 0;
};

std::string WriteSizes(const SizeTable& table, const SizesOptions& options);

// Says of how much of the total only mean sizes are known; empty if of nothing.
std::string MeanSizesText(const SizeTable& table);

}  // namespace heapprof
