// SPDX-License-Identifier: Apache-2.0
//
// Prepares lines of source files for a report.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns `line` with tabs expanded to blanks.
std::string WithoutTabs(std::string_view line);

}  // namespace heapprof
