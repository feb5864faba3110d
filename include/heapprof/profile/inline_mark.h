// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heapprof {

// Follows the name of an inlined call in tables, as in jeprof.
inline constexpr std::string_view kInlineMark = " (inline)";

}  // namespace heapprof
