// SPDX-License-Identifier: Apache-2.0
//
// What the reports have in common that compare two sides, the base and the new
// dumps: the header with both sides, and the cells and rows of a table.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/report/compared_dump.h"
#include "heapprof/view/comparison.h"
#include "heapprof/view/story.h"

namespace heapprof {

// Properties of the terminal or file to which text is written.
struct TextStyle {
  size_t width = 0;  // in characters; 0 = no limit
  bool color = false;
};

// Lines that add details to the line above are indented by this many blanks.
inline constexpr size_t kDetailIndent = 8;

// Appends `text`, which may take several lines. `line_style` is an escape
// sequence of terminal_style.h, or empty.
void AppendParagraph(std::string_view text, std::string_view line_style,
                     const TextStyle& style, std::string& out);

// Appends the lines of a story and a blank one; nothing if there is no story.
void AppendStory(const std::vector<StoryChain>& story,
                 const Comparison& comparison, const TextStyle& style,
                 std::string& out);

// Describes the total of a side and how it was sampled: "312.6 ± 1.2 MiB live,
// mean of 2 dumps; one sample per 16 KiB". If filters have removed a part, the
// whole follows: "57.4 ± 2.5 MiB of 312.6 MiB live".
std::string SideText(const Comparison& comparison, Side side);

// Appends the dumps, programs and totals of both sides, the base first. Leaves
// out a side without dumps.
void AppendSides(const Comparison& comparison,
                 const Sides<std::vector<ComparedDump>>& dumps,
                 const TextStyle& style, std::string& out);

std::string AmountCell(const Comparison& comparison, double value);

// Returns three cells: how much an entry (a function, a file ...) holds before
// and after, and the change with its error.
std::array<std::string, 3> ChangeCells(const Comparison& comparison,
                                       const ComparisonEntry& entry);
// Returns the same cells, but with "new" as the value before if only the new
// side has the entry, and "gone" as the value after if only the base has it.
std::array<std::string, 3> MarkedChangeCells(const Comparison& comparison,
                                             const ComparisonEntry& entry);

struct TableRow {
  std::vector<std::string> cells = {};  // before the name; may be empty
  std::string name;
  // Follows the name if there is room for both.
  std::string detail = {};
  std::string_view style = {};
  // True if the row adds details to the row above. Only its name is shown,
  // indented.
  bool is_detail = false;
};

// Appends `rows`. Each column is as wide as its widest cell. The first
// `numbers` columns are aligned to the right, the others to the left. Names
// that exceed the width of the style are shortened; before, columns of
// `dispensable` are left out, the first ones first.
void AppendTable(std::span<const TableRow> rows, size_t numbers,
                 std::span<const size_t> dispensable, const TextStyle& style,
                 std::string& out);

}  // namespace heapprof
