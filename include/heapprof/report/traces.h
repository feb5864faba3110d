// SPDX-License-Identifier: Apache-2.0
//
// Every stack with its value, leaf first, laid out as pprof's -traces:
//
//   -----------+-------------------------------------------------------
//    128.0 KiB   demo::Fill (inline)
//                demo::Grow
//                main
#pragma once

#include <cstddef>
#include <string>

#include "heapprof/view/trace_table.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Names are shortened to lines of `width` characters; 0 = of any.
std::string WriteTraces(const TraceTable& table, Unit unit, size_t width = 0);

}  // namespace heapprof
