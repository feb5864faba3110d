// SPDX-License-Identifier: Apache-2.0
//
// The text report, in jeprof's layout:
//
//   Total: 7.1 MB
//        3.5  49.2%  49.2%      3.5  49.2% std::vector::reserve (inline)
//
// Columns: flat, its percentage, running sum of percentages, cumulative, its
// percentage, function. With colour, rows with large values stand out and
// functions without a flat value are dimmed. With error bars, two more columns
// before the function: the error of the column by which the rows are sorted,
// and the number of samples behind it. On a wide terminal, the mean size of the
// objects in that column comes before them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heapprof/view/error_bars.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/units.h"

namespace heapprof {

struct TextOptions {
  Unit unit = Unit::kMegabytes;
  // If not empty, this text is printed after "Total: " instead of the value.
  std::string total = {};
  size_t top = 0;                      // rows to print; 0 = all
  bool heading = false;                // print column names below the total
  std::string_view noun = "function";  // the heading of the names
  // The thread of this table, "t3"; empty: all threads.
  std::string thread = {};
  // The width of rows in characters; 0 = no limit. If it is small, columns
  // are left out. Longer names are shortened, but keep at least 12 characters.
  size_t width = 0;
  // The names of the rows end with a file and a line. Folders are dropped
  // before the name is shortened.
  bool has_places = false;
  bool color = false;
  std::optional<ErrorBars> error_bars = {};
  // Adds a column with the mean sizes of the objects. Needs a table that counts
  // them.
  bool has_sizes = false;
  // If true, errors and mean sizes are those of the cumulative values,
  // otherwise those of the flat values.
  bool describes_cumulative = false;
};

std::string WriteText(const FlatTable& table, const TextOptions& options);

}  // namespace heapprof
