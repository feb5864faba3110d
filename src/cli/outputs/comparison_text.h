// SPDX-License-Identifier: Apache-2.0
//
// The text that --text prints on a terminal if there is a --base.
#pragma once

#include <string>

#include "cli/outputs/report_request.h"

namespace heapprof {

// Returns the comparison as text.
std::string ComparisonText(const ReportRequest& request);

}  // namespace heapprof
