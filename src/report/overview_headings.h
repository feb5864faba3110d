// SPDX-License-Identifier: Apache-2.0
//
// What all reports call the tables of an overview and their rows.
#pragma once

#include <string_view>

namespace heapprof {

inline constexpr std::string_view kOwnHeading =
    "Your code, with libraries it calls";
inline constexpr std::string_view kCumulativeHeading =
    "Functions, with what they call";
inline constexpr std::string_view kAllocatingHeading =
    "Functions that allocate";

// The last row of such a table in a comparison, if it has no row for what is
// not proven to have changed.
inline constexpr std::string_view kOthersUnchanged = "(others: may be chance)";
inline constexpr std::string_view kAllUnchanged = "(all may be chance)";

}  // namespace heapprof
