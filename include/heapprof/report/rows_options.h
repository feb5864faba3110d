// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "heapprof/view/units.h"

namespace heapprof {

// Options of the tables that --sizes and --threads print.
struct RowsOptions {
  Unit unit = Unit::kMegabytes;
  bool is_exact = false;  // see ErrorBars::is_exact()
  bool is_comparison = false;
  size_t top = 0;  // rows to print, the largest ones; 0 = all
  // The width of lines in characters; longer names are shortened. 0 = no limit.
  size_t width = 0;
  bool color = false;
};

}  // namespace heapprof
