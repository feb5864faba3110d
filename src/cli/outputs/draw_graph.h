// SPDX-License-Identifier: Apache-2.0
//
// A picture of a call graph, drawn by Graphviz.
#pragma once

#include <cstdint>
#include <string>

#include "cli/args/output_format.h"
#include "heapprof/base/error.h"

namespace heapprof {

// `dot` is in Graphviz's language, `mode` one of the pictures. A format that
// carries a date gets that of the dump, so that the same input makes the same
// bytes.
Result<std::string> DrawGraph(const std::string& dot, OutputMode mode,
                              int64_t time_seconds);

}  // namespace heapprof
