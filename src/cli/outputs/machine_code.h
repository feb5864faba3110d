// SPDX-License-Identifier: Apache-2.0
//
// The machine code of functions, from the files that they are in.
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

// What a symbol covers.
struct Routine {
  const Module* module = nullptr;
  uint64_t start = 0;  // file addresses
  uint64_t end = 0;
  std::string name = {};  // demangled
};

// A name as this report shows it.
std::string CodeName(std::string_view demangled, const Options& options);

// Each of `routines` with its instructions, the source lines that they come
// from, and the names of what they call. Fails if one cannot be disassembled.
Result<std::vector<CodeRoutine>> ReadMachineCode(
    std::span<const Routine> routines, const Symbolizer& symbolizer,
    const Options& options);

}  // namespace heapprof
