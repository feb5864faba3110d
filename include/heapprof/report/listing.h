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
// Columns: flat, cumulative, line number, source. The "---" lines enclose the
// function; five more lines are shown before and after it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/view/source_listing.h"
#include "heapprof/view/units.h"

namespace heapprof {

// `source` has the lines of the file that contains the function. If it is
// empty, because that file was not found, the report lists only the lines that
// hold something, without their text. On a terminal, the columns are called
// "self / with callees", as in all reports that are not in jeprof's layout.
std::string WriteListing(const ListedFunction& function,
                         const std::vector<std::string_view>& source, Unit unit,
                         bool is_terminal = false, size_t width = 0);

}  // namespace heapprof
