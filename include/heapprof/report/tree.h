// SPDX-License-Identifier: Apache-2.0
//
// Functions with their callers above and their callees below, in the layout of
// pprof's -tree and -peek:
//
//                                 128.0 KiB   100% |   main
//  128.0 KiB  23.4%  46.7% 128.0 KiB  23.4%        | demo::Grow
//                                  64.0 KiB  50.0% |   demo::Fill (inline)
//   -------------------------------------------------+-------------
//
// In the report, the columns are wider. The percentages of callers and callees
// are relative to the cumulative value of the function.
#pragma once

#include <cstddef>
#include <string>

#include "heapprof/view/callers_callees.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Names are shortened to make lines at most `width` characters long; 0 = no
// limit.
std::string WriteTree(const CallersCalleesTable& table, Unit unit,
                      size_t width = 0);

}  // namespace heapprof
