// SPDX-License-Identifier: Apache-2.0
//
// Every stack with its value, leaf first, in the layout of pprof's -traces:
//
//   -----------+-------------------------------------------------------
//    128.0 KiB   demo::Fill (inline)
//                demo::Grow
//                main
#pragma once

#include <cstddef>

#include "heapprof/base/byte_sink.h"
#include "heapprof/view/trace_table.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Names are shortened to make lines at most `width` characters long; 0 = no
// limit.
void WriteTraces(const TraceTable& table, Unit unit, size_t width,
                 ByteSink& out);

}  // namespace heapprof
