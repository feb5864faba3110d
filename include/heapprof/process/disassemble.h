// SPDX-License-Identifier: Apache-2.0
//
// Disassembles a range of code, such as a function, with objdump. The ELF file
// is untrusted, so objdump's output is treated as untrusted, too.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

struct Instruction {
  uint64_t address = 0;  // virtual address in the ELF file
  // Mnemonic and operands, without tabs: "call   11a0 <_ZN4demo4GrowEv>".
  std::string text;
};

struct CodeRange {
  std::string path;    // of an ELF file
  uint64_t start = 0;  // virtual addresses in the file
  uint64_t end = 0;    // the first address after the range
};

struct Disassembler {
  std::string program = "objdump";  // a name to be looked up in PATH, or a path
  std::string package = "binutils";  // the Debian package that contains it
  std::chrono::milliseconds time_limit = std::chrono::seconds(60);
  uint64_t output_limit = 64 << 20;  // bytes; a large function needs one MiB
};

// Runs objdump and returns the instructions in `range`, sorted by address.
// Fails if there are none.
Result<std::vector<Instruction>> Disassemble(const CodeRange& range,
                                             const Disassembler& disassembler);

// Parses the output of `objdump --no-show-raw-insn` and returns the
// instructions. Fails if there are none, if one of them is outside `range`, or
// if they are not sorted by address.
Result<std::vector<Instruction>> ParseDisassembly(std::string_view output,
                                                  const CodeRange& range);

}  // namespace heapprof
