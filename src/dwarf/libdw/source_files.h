// SPDX-License-Identifier: Apache-2.0
//
// File names and line rows of units: file tables from libdw, rows from
// LineTable.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

#include "dwarf/libdw/die_ranges.h"
#include "dwarf/libdw/line_table.h"
#include "dwarf/shared/problem_log.h"

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
  SourceFiles(Dwarf* dwarf, const DieRangeReader& ranges, ProblemLog& problems);

  // The file with the number `index` in the line table of the unit that `die`
  // is in, joined with the compilation directory. Empty if there is none.
  std::string FileName(Dwarf_Die* die, uint64_t index);

  // The positions of `addresses` (sorted) in the line table of the unit with
  // the root DIE `root`.
  std::vector<SourcePosition> FindLines(Dwarf_Die* root,
                                        std::span<const uint64_t> addresses);

 private:
  // The file table of a unit; nullptr if there is none.
  Dwarf_Files* ReadFiles(Dwarf_Die* root, size_t* count);
  std::string FileNameInUnit(Dwarf_Die* root, uint64_t index);
  std::optional<LineTable> OpenLineTable(Dwarf_Die* root);

  const DieRangeReader& ranges_;
  ProblemLog& problems_;
  std::span<const uint8_t> debug_line_;
  bool big_endian_ = false;
  // Rows that may still be read. A row takes a byte at least, but line
  // programs of different units may overlap; libdw keeps a copy of each.
  uint64_t row_budget_ = 0;
  std::set<const Dwarf_Lines*> counted_;
  // Bytes of line programs that further units may read.
  uint64_t program_budget_ = 0;
  std::set<const void*> charged_;  // the units that have, by root DIE
};

}  // namespace heapprof
