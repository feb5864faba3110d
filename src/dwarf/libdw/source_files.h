// SPDX-License-Identifier: Apache-2.0
//
// Finds file names and source positions. The file tables are read with libdw,
// the rows with LineTable (line_table.h says why).
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

// A source position, from a line row.
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

  // Returns the path of file `index` in the line table of the unit that holds
  // `die`. A relative path is joined with the compilation directory. Empty if
  // there is no such file.
  std::string FileName(Dwarf_Die* die, uint64_t index);

  // Returns the positions of `addresses` (sorted) in the line table of the unit
  // with the root DIE `root`.
  std::vector<SourcePosition> FindLines(Dwarf_Die* root,
                                        std::span<const uint64_t> addresses);

 private:
  // Returns the file table of a unit; nullptr if there is none.
  Dwarf_Files* ReadFiles(Dwarf_Die* root, size_t* count);
  std::string FileNameInUnit(Dwarf_Die* root, uint64_t index);
  std::optional<LineTable> OpenLineTable(Dwarf_Die* root);

  const DieRangeReader& ranges_;
  ProblemLog& problems_;
  std::span<const uint8_t> debug_line_;
  bool big_endian_ = false;
  // How many more line rows libdw may decode. libdw decodes and stores all rows
  // of a unit even if only its file table is wanted, which takes memory. A
  // valid file stays below the limit, which exceeds the size of .debug_line,
  // because each row takes at least a byte of .debug_line. A malicious file may
  // exceed it with line programs that overlap.
  uint64_t row_budget_ = 0;
  std::set<const Dwarf_Lines*> counted_;
  // The number of bytes of line programs that may still be read.
  uint64_t program_budget_ = 0;
  std::set<const void*> charged_;  // root DIEs whose program was counted
};

}  // namespace heapprof
