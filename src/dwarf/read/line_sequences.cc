// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/line_sequences.h"

#include <string_view>

#include <dwarf.h>

#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {
namespace {

// Moves past the first DW_LNE_set_address, and returns its operand. Returns
// nothing if an opcode comes before it that advances the address or makes a
// row.
std::optional<uint64_t> ReadFirstAddress(LittleEndianCursor& cursor,
                                         uint8_t opcode_base) {
  while (!cursor.AtEnd()) {
    const uint8_t opcode = cursor.U8();
    if (opcode >= opcode_base) return std::nullopt;
    switch (opcode) {
      case 0: {
        LittleEndianCursor operands = cursor.Take(cursor.Uleb());
        const uint8_t extended = operands.U8();
        const uint64_t size = operands.remaining();
        if (extended == DW_LNE_set_discriminator) break;
        if (extended != DW_LNE_set_address || size > sizeof(uint64_t))
          return std::nullopt;
        return operands.Unsigned(size);
      }
      case DW_LNS_advance_line:
      case DW_LNS_set_file:
      case DW_LNS_set_column:
      case DW_LNS_set_isa:
        cursor.SkipLeb();
        break;
      case DW_LNS_negate_stmt:
      case DW_LNS_set_basic_block:
      case DW_LNS_set_prologue_end:
      case DW_LNS_set_epilogue_begin:
        break;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<LineSequenceBytes>> FindLineSequences(
    std::span<const uint8_t> opcodes, uint8_t opcode_base) {
  constexpr std::string_view kEnd("\0\1\1", 3);
  const std::string_view text(reinterpret_cast<const char*>(opcodes.data()),
                              opcodes.size());
  std::vector<LineSequenceBytes> sequences;
  LittleEndianCursor cursor(opcodes);
  while (!cursor.AtEnd()) {
    const uint64_t first = cursor.offset();
    const auto address = ReadFirstAddress(cursor, opcode_base);
    const size_t end = text.find(kEnd, cursor.offset());
    if (!address || end == text.npos) return std::nullopt;
    const uint64_t size = end + kEnd.size() - first;
    sequences.push_back({*address, opcodes.subspan(first, size)});
    cursor.Skip(first + size - cursor.offset());
  }
  return sequences;
}

}  // namespace heapprof
