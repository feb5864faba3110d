// SPDX-License-Identifier: Apache-2.0
//
// What the reports that compare two sides have in common: the header with both
// sides, and the cells and rows of a table.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/report/comparison.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

// Where text goes to.
struct TextStyle {
  size_t width = 0;  // in characters; 0 = no limit
  bool color = false;
};

// The indentation of what belongs to the line above.
inline constexpr size_t kDetailIndent = 8;

// "211 functions", "1 function"
std::string CountOfEntries(size_t count, CompareBy by);

// "312.6 ± 1.2 MiB live, mean of 2 dumps; one sample per 16 KiB"
std::string SideText(const Comparison& comparison, Side side);

// " (build 289ee39f0a1b)"; empty if the build is not known.
std::string BuildText(const ComparedDump& dump);

// " and 2 more": the files after the first one. A baseline with several runs is
// one file. Empty if there is only one.
std::string MoreDumps(const std::vector<ComparedDump>& dumps);

// Appends the dumps, programs and totals of both sides, the base first. Leaves
// out a side without dumps.
void AppendSides(const Comparison& comparison,
                 const std::array<std::vector<ComparedDump>, 2>& dumps,
                 const TextStyle& style, std::string& out);

std::string AmountCell(const Comparison& comparison, double value);

// How much an entry holds before and after, and the change with its error.
std::array<std::string, 3> ChangeCells(const Comparison& comparison,
                                       const ComparisonEntry& entry);
// The same, but says "new" or "gone" if the entry is missing on a side.
std::array<std::string, 3> MarkedChangeCells(const Comparison& comparison,
                                             const ComparisonEntry& entry);

struct TableRow {
  std::vector<std::string> cells = {};  // before the name; may be empty
  std::string name;
  std::string_view style = {};
  bool is_detail = false;  // of the row above: only a name, indented
};

// Appends the rows. Columns are as wide as their cells; the first `numbers` are
// aligned to the right. Names are fitted to the width.
void AppendTable(std::span<const TableRow> rows, size_t numbers,
                 const TextStyle& style, std::string& out);

}  // namespace heapprof
