// SPDX-License-Identifier: Apache-2.0
//
// Chooses the objdump for a binary.
#pragma once

#include <cstdint>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/process/disassemble.h"

namespace heapprof {

// For code of `machine` (EM_*). `tools` is jeprof's --tools or JEPROF_TOOLS: a
// list, separated by commas, of "objdump:PATH" and of prefixes for "objdump".
// If it is empty, the result is the objdump in PATH, or Debian's cross objdump
// for another machine. Fails if no item of `tools` names a program.
Result<Disassembler> DisassemblerFor(uint16_t machine,
                                     const std::string& tools);

}  // namespace heapprof
