// SPDX-License-Identifier: Apache-2.0
//
// Reads the machine code of functions from their binaries.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/demangle/names.h"
#include "heapprof/disasm/routines.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/view/disassembly.h"

namespace heapprof {

struct MachineCodeOptions {
  std::string tools = {};               // as for DisassemblerFor()
  std::optional<NameStyle> names = {};  // unset: short names
  bool with_inlines = true;             // false: places only in the routine
  unsigned jobs = 1;                    // threads
};

// Reads the instructions of each routine, with their source lines and the names
// of the functions that they call. Fails if a routine cannot be disassembled.
Result<std::vector<CodeRoutine>> ReadMachineCode(
    std::span<const Routine> routines, const Symbolizer& symbolizer,
    const MachineCodeOptions& options);

}  // namespace heapprof
