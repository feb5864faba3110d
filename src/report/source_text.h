// SPDX-License-Identifier: Apache-2.0
//
// Lines of source files in a report.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// `line` with blanks up to each tab stop.
std::string WithoutTabs(std::string_view line);

}  // namespace heapprof
