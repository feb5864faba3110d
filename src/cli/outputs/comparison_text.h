// SPDX-License-Identifier: Apache-2.0
//
// The text that --text prints on a terminal if there is a --base, and
// --overview anywhere.
#pragma once

#include <cstddef>
#include <string>

#include "cli/outputs/report_request.h"

namespace heapprof {

// Returns the comparison as text. Without a terminal and without --top, at most
// `rows_in_pipe` entries that changed get a row; 0: all.
std::string ComparisonText(const ReportRequest& request, size_t rows_in_pipe);

}  // namespace heapprof
