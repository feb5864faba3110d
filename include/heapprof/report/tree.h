// SPDX-License-Identifier: Apache-2.0
//
// Functions between their callers above and their callees below, laid out as
// pprof's -tree and -peek:
//
//                                 128.0 KiB   100% |   main
//  128.0 KiB  23.4%  46.7% 128.0 KiB  23.4%        | demo::Grow
//                                  64.0 KiB  50.0% |   demo::Fill (inline)
//   -------------------------------------------------+-------------
//
// (narrower here). The share of a neighbour is that of the function's
// cumulative value.
#pragma once

#include <cstddef>
#include <string>

#include "heapprof/view/callers_callees.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Names are shortened to lines of `width` characters; 0 = of any.
std::string WriteTree(const CallersCalleesTable& table, Unit unit,
                      size_t width = 0);

}  // namespace heapprof
