// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/line_table.h"

#include <algorithm>

#include <dwarf.h>

namespace heapprof {

uint64_t ByteCursor::Number(size_t size) {
  if (size > left()) {
    failed_ = true;
    next_ = bytes_.size();
    return 0;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    const size_t shift = 8 * (big_endian_ ? size - 1 - i : i);
    value |= uint64_t{bytes_[next_ + i]} << shift;
  }
  next_ += size;
  return value;
}

uint64_t ByteCursor::Unsigned() {
  uint64_t value = 0;
  for (size_t shift = 0;; shift += 7) {
    const uint64_t byte = Number(1);
    if (shift < 64) value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

int64_t ByteCursor::Signed() {
  uint64_t value = 0;
  for (size_t shift = 0;; shift += 7) {
    const uint64_t byte = Number(1);
    if (shift < 64) value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) != 0) continue;
    if ((byte & 0x40) != 0 && shift + 7 < 64)
      value |= ~uint64_t{0} << (shift + 7);
    return static_cast<int64_t>(value);
  }
}

ByteCursor ByteCursor::Take(uint64_t size) {
  if (size > left()) failed_ = true;
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(size, left()));
  const ByteCursor result(bytes_.subspan(next_, taken), big_endian_);
  next_ += taken;
  return result;
}

LineTable::LineTable(std::span<const uint8_t> debug_line, uint64_t offset,
                     bool big_endian) {
  ByteCursor section(debug_line, big_endian);
  section.Take(offset);
  ReadHeader(section);
}

void LineTable::ReadHeader(ByteCursor bytes) {
  size_t offset_size = 4;
  uint64_t length = bytes.Number(4);
  if (length == 0xffffffff) {
    offset_size = 8;
    length = bytes.Number(8);
  }
  ByteCursor unit = bytes.Take(length);
  const uint64_t version = unit.Number(2);
  if (bytes.failed() || version < 2 || version > 5) return;
  if (version == 5) unit.Take(2);  // sizes of addresses and segment selectors
  ByteCursor header = unit.Take(unit.Number(offset_size));
  instruction_size_ = header.Number(1);
  if (version >= 4) operations_per_instruction_ = header.Number(1);
  header.Number(1);  // default_is_stmt
  line_base_ = static_cast<int8_t>(header.Number(1));
  line_range_ = static_cast<uint8_t>(header.Number(1));
  opcode_base_ = static_cast<uint8_t>(header.Number(1));
  for (int opcode = 1; opcode < opcode_base_; ++opcode)
    operand_counts_.push_back(static_cast<uint8_t>(header.Number(1)));
  if (header.failed() || unit.failed() || line_range_ == 0 ||
      operations_per_instruction_ == 0)
    return;
  program_ = unit;
}

bool LineTable::Next(LineSequence& sequence) {
  sequence.rows.clear();
  row_ = {};
  operation_ = 0;
  while (!program_.AtEnd()) {
    const auto opcode = static_cast<uint8_t>(program_.Number(1));
    if (opcode >= opcode_base_) {
      RunSpecial(opcode, sequence);
    } else if (opcode != 0) {
      RunStandard(opcode, sequence);
    } else if (RunExtended(sequence)) {
      return true;
    }
    if (program_.failed()) return false;
  }
  return false;
}

void LineTable::AdvanceOperations(uint64_t count) {
  const uint64_t operations = operation_ + count;
  row_.address +=
      instruction_size_ * (operations / operations_per_instruction_);
  operation_ = operations % operations_per_instruction_;
}

void LineTable::RunSpecial(uint8_t opcode, LineSequence& sequence) {
  const int adjusted = opcode - opcode_base_;
  AdvanceOperations(static_cast<uint64_t>(adjusted / line_range_));
  row_.line += static_cast<uint32_t>(line_base_ + adjusted % line_range_);
  sequence.rows.push_back(row_);
}

void LineTable::RunStandard(uint8_t opcode, LineSequence& sequence) {
  switch (opcode) {
    case DW_LNS_copy:
      sequence.rows.push_back(row_);
      return;
    case DW_LNS_advance_pc:
      return AdvanceOperations(program_.Unsigned());
    case DW_LNS_advance_line:
      row_.line += static_cast<uint32_t>(program_.Signed());
      return;
    case DW_LNS_set_file:
      row_.file = static_cast<uint32_t>(program_.Unsigned());
      return;
    case DW_LNS_set_column:
      row_.column = static_cast<uint32_t>(program_.Unsigned());
      return;
    case DW_LNS_const_add_pc:
      return AdvanceOperations(
          static_cast<uint64_t>((255 - opcode_base_) / line_range_));
    case DW_LNS_fixed_advance_pc:
      row_.address += program_.Number(2);
      operation_ = 0;
      return;
    default:
      for (int i = 0; i < operand_counts_[opcode - 1]; ++i) program_.Unsigned();
  }
}

bool LineTable::RunExtended(LineSequence& sequence) {
  ByteCursor operation = program_.Take(program_.Unsigned());
  switch (operation.Number(1)) {
    case DW_LNE_end_sequence:
      sequence.end = row_.address;
      return true;
    case DW_LNE_set_address:
      row_.address = operation.Number(std::min<size_t>(operation.left(), 8));
      operation_ = 0;
      return false;
    default:
      return false;
  }
}

}  // namespace heapprof
