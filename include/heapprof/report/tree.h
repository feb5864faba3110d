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
// The columns of the report are wider than in this example. The percentages of
// callers and callees are relative to the cumulative value of the function.
#pragma once

#include <cstddef>

#include "heapprof/base/byte_sink.h"
#include "heapprof/view/callers_callees.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Makes lines at most `width` characters long; 0 = no limit: leaves out
// columns, then shortens names. In place of columns of their own, callers and
// callees then use those of the cumulative values.
void WriteTree(const CallersCalleesTable& table, Unit unit, size_t width,
               ByteSink& out);

}  // namespace heapprof
