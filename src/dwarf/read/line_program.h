// SPDX-License-Identifier: Apache-2.0
//
// The line program of a unit (DWARF 5, section 6.2; versions 2 to 5). It is run
// once for all addresses of a lookup; the rows are not stored.
//
// How FindPositions() works: a row covers the addresses from its own address up
// to the address of the next row. So it suffices to remember the latest row,
// and the waiting address: the lowest wanted address in this sequence that has
// no row yet. When a row, or the end of the sequence, is past the waiting
// address, that address gets the latest row. Any other row costs only one
// comparison. Example, for the addresses 0x12, 0x18 and 0x31:
//
//   program     now waiting  what happens
//   0x30 line 7      0x31    a sequence begins: binary search for 0x30
//   0x34 end           -     past 0x31, so 0x31 is at line 7
//   0x10 line 3      0x12    a sequence begins: binary search for 0x10
//   0x14 line 4      0x18    past 0x12, so 0x12 is at line 3
//   0x18 line 5      0x18    not past 0x18: another row may follow at 0x18
//   0x18 line 6      0x18    one did: now line 6 is the latest row
//   0x20 end           -     past 0x18, so 0x18 is at line 6; all are found,
//                            and the rest of the program is not run
//
// An address that has a row keeps it, even if a later sequence covers it again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dwarf/read/compilation_unit.h"
#include "dwarf/shared/address_range.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct LinePosition {
  uint32_t file = 0;  // the program's own file number
  uint32_t line = 0;  // 0 = the compiler gave none
  uint32_t column = 0;
  bool found = false;

  bool operator==(const LinePosition&) const = default;
};

// The code that a line row covers. If successive rows are equal, their code is
// one span.
struct LineSpan {
  AddressRange range;
  LinePosition row;
};

class LineProgram {
 public:
  // Reads the header of the line program of `reader`'s unit. The unit must have
  // a line program. `reader` must outlive the result. Subtracts the number of
  // bytes read from `budget`. On failure, `problem` says why.
  static std::optional<LineProgram> Read(const UnitReader& reader,
                                         uint64_t& budget,
                                         std::string& problem);

  // Finds the row of each of `addresses`, which must be sorted: the last row at
  // or before the address, in the first sequence that covers the address. Skips
  // sequences that do not start in code of `binary`, because they belong to
  // discarded functions. Returns false if the program is damaged; rows before
  // the damage still count. Stops as soon as all addresses have a row.
  bool FindPositions(std::span<const uint64_t> addresses,
                     const ElfImage& binary,
                     std::vector<LinePosition>& rows) const;

  // Finds the rows of all addresses in `wanted`, which must be sorted. The
  // resulting `spans` are sorted and do not overlap, but may extend beyond
  // `wanted`. Returns false if the program is damaged.
  bool FindSpans(const ElfImage& binary, std::span<const AddressRange> wanted,
                 std::vector<LineSpan>& spans) const;

  // Returns the path of a file; empty if `number` is not in the file table. A
  // relative name is joined with its directory, and a relative directory with
  // the compilation directory.
  std::string FileName(uint64_t number) const;
  // All file numbers are less than this.
  uint64_t file_count() const { return files_.size(); }

 private:
  struct File {
    std::string_view name;
    uint64_t directory = 0;
  };
  // How much a special opcode adds to the address and line registers.
  struct SpecialStep {
    uint32_t address = 0;
    uint32_t line = 0;  // a negative step wraps around
  };
  using SpecialSteps = std::array<SpecialStep, 256>;  // by opcode
  class PositionFinder;
  class SpanFinder;

  explicit LineProgram(const UnitReader& reader) : reader_(&reader) {}
  SpecialSteps MakeSpecialSteps() const;
  // Runs the opcodes until `machine` needs no more rows. Each opcode advances
  // the registers of `machine`. An opcode that makes a row passes it to
  // `machine`.
  template <typename Machine>
  bool Run(Machine& machine) const;
  bool ReadHeader(uint64_t& budget, std::string& problem);
  bool ReadOldTables(LittleEndianCursor& header);
  bool ReadNewTables(LittleEndianCursor& header);
  bool ReadNameTable(LittleEndianCursor& header, bool files);

  const UnitReader* reader_;
  UnitEncoding encoding_;  // the program's own; may differ from the unit's
  LittleEndianCursor opcodes_;
  uint8_t min_instruction_length_ = 1;
  int8_t line_base_ = 0;
  uint8_t line_range_ = 1;
  uint8_t opcode_base_ = 1;
  std::span<const uint8_t> opcode_lengths_;  // the first is for opcode 1
  std::vector<std::string_view> directories_;
  std::vector<File> files_;
};

}  // namespace heapprof
