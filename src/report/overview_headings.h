// SPDX-License-Identifier: Apache-2.0
//
// What all reports call the tables of an overview.
#pragma once

#include <string_view>

namespace heapprof {

inline constexpr std::string_view kOwnHeading =
    "Your code, with libraries it calls";
inline constexpr std::string_view kCumulativeHeading =
    "Functions, with what they call";
inline constexpr std::string_view kAllocatingHeading =
    "Functions that allocate";

}  // namespace heapprof
