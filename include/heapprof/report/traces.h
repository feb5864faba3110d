// SPDX-License-Identifier: Apache-2.0
//
// Every stack with its value, leaf first, laid out as pprof's -traces:
//
//   -----------+-------------------------------------------------------
//     128.0KiB   demo::Fill (inline)
//                demo::Grow
//                main
#pragma once

#include <string>
#include <vector>

#include "heapprof/view/trace_table.h"
#include "heapprof/view/units.h"

namespace heapprof {

std::string WriteTraces(const std::vector<Trace>& traces, Unit unit);

}  // namespace heapprof
