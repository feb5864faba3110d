// SPDX-License-Identifier: Apache-2.0
//
// What the reports of `heapprof explain` for people have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/explain/waterfall.h"

namespace heapprof {

inline constexpr std::string_view kExactMappings =
    "jemalloc's mappings are known: they are as large as it says they are";

// The unit of all amounts, so that they can be compared and added up.
struct ExplainUnit {
  double size;
  int decimals;
  std::string_view name;

  // "148.4"
  std::string Amount(int64_t bytes) const;
  // "+35.0", "-2.9", "0.0"
  std::string Change(int64_t bytes) const;
  // True for what is shown as 0.0.
  bool IsTiny(int64_t bytes) const { return Amount(bytes) == Amount(0); }
};

ExplainUnit ExplainUnitFor(const Waterfall& waterfall);

// What the lines of the waterfall add up to.
std::string_view TotalName(const Waterfall& waterfall);

// "RSS 148.4 MiB = jemalloc 130.5 + other 17.9" or, in a comparison, "RSS grew
// by 120.3 MiB, from 28.1 to 148.4 MiB, most in free regions in slabs (+81.1)".
std::string ExplainHeadline(const Waterfall& waterfall);

// Returns the part of a full bar that a line gets: of the largest line or, in a
// comparison, of the largest growth. 0 for what shrank, or is written as 0.0.
double ExplainBar(const Waterfall& waterfall, const WaterfallLine& line);

// Returns the share that a line has of the total; "-" if it is larger than
// that.
std::string ExplainShare(const Waterfall& waterfall, int64_t bytes);

// What is to be said of a line besides its bytes; may be empty.
std::string ExplainDetail(const Waterfall& waterfall,
                          const WaterfallLine& line);

// Who has objects in a class, as a table: all reports have the same cells.
struct HolderRow {
  std::vector<std::string> cells = {};
  std::vector<std::string> stack = {};  // functions, innermost first
};

struct HolderTable {
  std::string title = {};
  std::vector<std::string> headings = {};
  std::vector<HolderRow> rows = {};
  size_t more = 0;  // holders that are left out
};

// Returns the tables of the classes that have holders, each with at most `most`
// rows.
std::vector<HolderTable> HolderTables(const Waterfall& waterfall, size_t most);

}  // namespace heapprof
