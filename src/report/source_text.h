// SPDX-License-Identifier: Apache-2.0
//
// Prepares lines of source files for a report.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "heapprof/view/source_listing.h"

namespace heapprof {

// Returns the first line of what is said of a function: its name and, unless it
// is empty, the file in which it is. Both are shortened to fit into `width`
// characters; 0 = any width.
std::string RoutineLine(std::string_view name, std::string_view file,
                        size_t width);

// Returns `text`, lines wider than `width` cut at their ends; 0 = any width.
std::string WithLinesCut(std::string_view text, size_t width);

// Returns `line` with tabs expanded to blanks.
std::string WithoutTabs(std::string_view line);

// A range of line numbers, counted from 1, both ends included. Empty by
// default.
struct SourceRange {
  size_t first = 1;
  size_t last = 0;
};

// Returns the lines of a function, from `source`, the lines of its file. The
// range is empty if no line of the function is known. It may exceed the file.
SourceRange SourceRangeOf(const ListedFunction& function,
                          std::span<const std::string_view> source);

}  // namespace heapprof
