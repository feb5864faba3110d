// SPDX-License-Identifier: Apache-2.0
//
// The form of --text --base on a terminal.
#pragma once

#include <string>

#include "cli/outputs/report_request.h"

namespace heapprof {

// The profile must have both sides.
std::string ComparisonText(const ReportRequest& request);

}  // namespace heapprof
