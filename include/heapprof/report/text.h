// SPDX-License-Identifier: Apache-2.0
//
// The text report, in jeprof's layout:
//
//   Total: 7.1 MB
//        3.5  49.2%  49.2%      3.5  49.2% std::vector::reserve (inline)
//
// Columns: flat, its percentage, running sum of percentages, cumulative, its
// percentage, function. With colour, what holds much stands out and what holds
// nothing itself steps back.
#pragma once

#include <string>

#include "heapprof/view/flat_table.h"
#include "heapprof/view/units.h"

namespace heapprof {

struct TextOptions {
  Unit unit = Unit::kMegabytes;
  size_t top = 0;           // rows to print; 0 = all
  bool heading = false;     // names of the columns, below the total
  std::string thread = {};  // whose table it is: "t3"; empty: of all
  // Of rows, in characters, by shorter names; 0 = any. Names keep 24 of theirs,
  // however narrow it is.
  size_t width = 0;
  bool color = false;
};

std::string WriteText(const FlatTable& table, const TextOptions& options);

}  // namespace heapprof
