// SPDX-License-Identifier: Apache-2.0
//
// The line number program of a unit (DWARF 5, section 6.2; versions 2 to 5):
// run once for the addresses asked, no table of rows is kept.
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
  uint32_t file = 0;  // as the program numbers its files
  uint32_t line = 0;  // 0 = the compiler gave none
  uint32_t column = 0;
  bool found = false;

  bool operator==(const LinePosition&) const = default;
};

// Code that one row, or several equal ones, hold for.
struct LineSpan {
  AddressRange range;
  LinePosition row;
};

class LineProgram {
 public:
  // Reads the header of the program of `reader`'s unit, which must have one.
  // `reader` must outlive the result. Takes the bytes read from `budget`.
  // `problem` says why there is none.
  static std::optional<LineProgram> Read(const UnitReader& reader,
                                         uint64_t& budget,
                                         std::string& problem);

  // The row that holds at each of `addresses` (sorted): the last one at or
  // before it in the first sequence that covers it. Sequences that do not
  // start in code of `binary` belong to discarded functions and are skipped.
  // False if the program is damaged; rows before the damage count. What comes
  // behind the last one that is needed is not read.
  bool FindPositions(std::span<const uint64_t> addresses,
                     const ElfImage& binary,
                     std::vector<LinePosition>& rows) const;

  // What FindPositions() finds at the addresses in `wanted` (by address), as
  // spans by address that do not overlap; some reach beyond what is wanted.
  // False if the program is damaged.
  bool FindSpans(const ElfImage& binary, std::span<const AddressRange> wanted,
                 std::vector<LineSpan>& spans) const;

  // The path of a file, joined with the directories as far as they are
  // relative. Empty for a number that is not in the table.
  std::string FileName(uint64_t number) const;
  // Numbers from here on are not in the table.
  uint64_t file_count() const { return files_.size(); }

 private:
  struct File {
    std::string_view name;
    uint64_t directory = 0;
  };
  // How far a special opcode, as index, moves the registers.
  struct SpecialStep {
    uint32_t address = 0;
    uint32_t line = 0;  // wraps around: lines also go back
  };
  using SpecialOpcodes = std::array<SpecialStep, 256>;
  class PositionFinder;
  class SpanFinder;

  explicit LineProgram(const UnitReader& reader) : reader_(&reader) {}
  SpecialOpcodes MakeSpecialOpcodes() const;
  template <typename Machine>
  bool Run(Machine& machine) const;
  bool ReadHeader(uint64_t& budget, std::string& problem);
  bool ReadOldTables(LittleEndianCursor& header);
  bool ReadNewTables(LittleEndianCursor& header);
  bool ReadNameTable(LittleEndianCursor& header, bool files);

  const UnitReader* reader_;
  UnitEncoding encoding_;  // of the program, which may differ from the unit's
  LittleEndianCursor opcodes_;
  uint8_t min_instruction_length_ = 1;
  int8_t line_base_ = 0;
  uint8_t line_range_ = 1;
  uint8_t opcode_base_ = 1;
  std::span<const uint8_t> opcode_lengths_;  // of opcode 1 and so on
  std::vector<std::string_view> directories_;
  std::vector<File> files_;
};

}  // namespace heapprof
