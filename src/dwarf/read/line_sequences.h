// SPDX-License-Identifier: Apache-2.0
//
// Finds the sequences of a line program without running it, so that only those
// with wanted addresses need to be run.
//
// A sequence begins with opcodes that make no row, DW_LNE_set_address among
// them, and ends with DW_LNE_end_sequence: the bytes 00 01 01. Compilers do not
// write these bytes elsewhere: there, they would be an operand that is 0, and
// two rows that are equal. If what follows them does not begin a sequence, the
// program is not taken for a regular one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heapprof {

struct LineSequenceBytes {
  uint64_t address = 0;              // that of its DW_LNE_set_address
  std::span<const uint8_t> opcodes;  // up to and with DW_LNE_end_sequence
};

// Returns the sequences in the order of the program. `opcode_base` is the first
// special opcode. Returns nothing if the program is not regular.
std::optional<std::vector<LineSequenceBytes>> FindLineSequences(
    std::span<const uint8_t> opcodes, uint8_t opcode_base);

}  // namespace heapprof
