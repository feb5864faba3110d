// SPDX-License-Identifier: Apache-2.0
//
// Chooses the objdump for a binary.
#pragma once

#include <cstdint>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/process/disassemble.h"

namespace heapprof {

// Returns the objdump for code of `machine` (EM_*). `tools` is the value of
// --tools or JEPROF_TOOLS: a comma-separated list whose items are
// "objdump:PATH", or a prefix such as "/usr/bin/" to which "objdump" is
// appended. If `tools` is empty, returns the objdump in PATH or, for another
// machine, Debian's cross objdump. Fails if `tools` is not empty and names no
// objdump.
Result<Disassembler> DisassemblerFor(uint16_t machine,
                                     const std::string& tools);

}  // namespace heapprof
