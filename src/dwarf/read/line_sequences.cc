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

// Returns where the sequence ends that is entered at `offset`; npos if nowhere.
size_t FindEnd(std::span<const uint8_t> opcodes, uint64_t offset,
               uint8_t opcode_base) {
  constexpr std::string_view kEnd("\0\1\1", 3);
  const std::string_view text(reinterpret_cast<const char*>(opcodes.data()),
                              opcodes.size());
  size_t found = text.find(kEnd, offset);
  for (; found != text.npos; found = text.find(kEnd, found + 1)) {
    const size_t end = found + kEnd.size();
    LittleEndianCursor next(opcodes, end);
    if (next.AtEnd() || ReadFirstAddress(next, opcode_base)) return end;
  }
  return text.npos;
}

}  // namespace

std::optional<std::vector<LineSequenceBytes>> FindLineSequences(
    std::span<const uint8_t> opcodes, uint8_t opcode_base) {
  std::vector<LineSequenceBytes> sequences;
  for (size_t first = 0; first < opcodes.size();) {
    LittleEndianCursor cursor(opcodes, first);
    const auto address = ReadFirstAddress(cursor, opcode_base);
    if (!address) return std::nullopt;
    const size_t end = FindEnd(opcodes, cursor.offset(), opcode_base);
    if (end == std::string_view::npos) return std::nullopt;
    sequences.push_back({*address, opcodes.subspan(first, end - first)});
    first = end;
  }
  return sequences;
}

}  // namespace heapprof
