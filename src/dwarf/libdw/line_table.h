// SPDX-License-Identifier: Apache-2.0
//
// Reads the rows of a line number program (DWARF 2-5), sequence by sequence.
//
// libdw's own table is unusable: it sorts the rows of all sequences of a unit
// into one list. The sequence of a discarded function starts at or near 0. If
// it is long enough to reach real code, its rows can no longer be told from the
// valid ones. Only the file table is still read with libdw.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heapprof {

struct LineRow {
  uint64_t address = 0;
  uint32_t file = 1;
  uint32_t line = 1;  // 0 = the compiler gave none
  uint32_t column = 0;
};

// The rows of contiguous code, in the recorded order.
struct LineSequence {
  std::vector<LineRow> rows;
  uint64_t end = 0;  // first address after the code
};

// Reads numbers from bytes. Reading past the end returns 0 and sets failed().
class ByteCursor {
 public:
  ByteCursor() = default;
  ByteCursor(std::span<const uint8_t> bytes, bool big_endian)
      : bytes_(bytes), big_endian_(big_endian) {}

  bool AtEnd() const { return next_ == bytes_.size(); }
  bool failed() const { return failed_; }
  size_t left() const { return bytes_.size() - next_; }

  uint64_t Number(size_t size);  // of 1 to 8 bytes
  uint64_t Unsigned();           // LEB128
  int64_t Signed();              // LEB128
  ByteCursor Take(uint64_t size);

 private:
  std::span<const uint8_t> bytes_;
  size_t next_ = 0;
  bool big_endian_ = false;
  bool failed_ = false;
};

class LineTable {
 public:
  // Reads the line program whose header is at `offset` of `debug_line`.
  // `debug_line` must outlive this object.
  LineTable(std::span<const uint8_t> debug_line, uint64_t offset,
            bool big_endian);

  // Reads the next sequence. Returns false if there is none, or if it is
  // damaged.
  bool Next(LineSequence& sequence);
  size_t bytes_left() const { return program_.left(); }

 private:
  void ReadHeader(ByteCursor bytes);
  void AdvanceOperations(uint64_t count);
  void RunSpecial(uint8_t opcode, LineSequence& sequence);
  void RunStandard(uint8_t opcode, LineSequence& sequence);
  // Runs one extended opcode. Returns true if it ends the sequence.
  bool RunExtended(LineSequence& sequence);

  ByteCursor program_;
  // Values from the header of the line program.
  uint64_t instruction_size_ = 1;
  uint64_t operations_per_instruction_ = 1;
  int line_base_ = 0;
  uint8_t line_range_ = 1;
  uint8_t opcode_base_ = 1;
  std::vector<uint8_t> operand_counts_;  // the first is for opcode 1
  // The registers of the line number machine.
  LineRow row_;
  uint64_t operation_ = 0;
};

}  // namespace heapprof
