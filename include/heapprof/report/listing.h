// SPDX-License-Identifier: Apache-2.0
//
// Annotated source, in jeprof's layout:
//
//   ROUTINE ====================== demo::Grow in /src/grow.cc
//      0.0    4.0 Total MB (flat / cumulative)
//        .      .   17: namespace demo {
//   ---
//        .      .   18: void Grow() {
//        .    4.0   19:   hold::Keep(std::malloc(4 << 20));
//        .      .   20: }
//   ---
//
// Columns: flat, cumulative, line number, source. Five lines before and after
// the function are shown outside the "---" lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/view/source_listing.h"
#include "heapprof/view/units.h"

namespace heapprof {

// `source` has the lines of the function's file. If the file was not found, it
// is empty, and only the lines that hold something are listed, without text.
std::string WriteListing(const ListedFunction& function,
                         const std::vector<std::string_view>& source,
                         Unit unit);

}  // namespace heapprof
