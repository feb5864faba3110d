// SPDX-License-Identifier: Apache-2.0
//
// File names and line rows of units, through libdw's line tables.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

#include "dwarf/die_ranges.h"
#include "dwarf/problem_log.h"

namespace heapprof {

// Where a line row says that code comes from.
struct SourcePosition {
  std::string file;   // empty if there is no row
  uint32_t line = 0;  // 0 = the compiler gave none
  uint32_t column = 0;
  bool found = false;
};

class SourceFiles {
 public:
  // `dwarf`, `ranges` and `problems` must outlive this object.
  SourceFiles(Dwarf* dwarf, const RangeReader& ranges, ProblemLog& problems);

  // The file with the number `index` in the line table of the unit that `die`
  // is in, joined with the compilation directory. Empty if there is none.
  std::string FileName(Dwarf_Die* die, uint64_t index);

  // The positions of `addresses` (sorted) in the line table of the unit with
  // the root DIE `root`.
  std::vector<SourcePosition> FindLines(Dwarf_Die* root,
                                        std::span<const uint64_t> addresses);

 private:
  bool ReadTable(Dwarf_Die* root, Dwarf_Lines** lines, size_t* count);

  const RangeReader& ranges_;
  ProblemLog& problems_;
  // Rows that may still be read. A row takes a byte at least, but line
  // programs of different units may overlap; libdw keeps a copy of each.
  uint64_t row_budget_ = 0;
  std::set<const Dwarf_Lines*> counted_;
};

}  // namespace heapprof
