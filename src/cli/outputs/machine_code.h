// SPDX-License-Identifier: Apache-2.0
//
// Reads the machine code of functions from their binaries.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/base/error.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/view/disassembly.h"

namespace heapprof {

// The range of code that one symbol covers.
struct Routine {
  const Module* module = nullptr;
  uint64_t start = 0;  // file addresses
  uint64_t end = 0;
  std::string name = {};  // demangled
};

// Returns the name that --disasm shows for a function.
std::string CodeName(std::string_view demangled, const Options& options);

// Reads the instructions of each routine, with their source lines and the names
// of the functions that they call. Fails if a routine cannot be disassembled.
Result<std::vector<CodeRoutine>> ReadMachineCode(
    std::span<const Routine> routines, const Symbolizer& symbolizer,
    const Options& options);

}  // namespace heapprof
