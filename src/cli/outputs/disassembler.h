// SPDX-License-Identifier: Apache-2.0
//
// Which objdump reads a binary.
#pragma once

#include <cstdint>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/process/disassemble.h"

namespace heapprof {

// For code of `machine` (EM_*). `tools` is jeprof's --tools or JEPROF_TOOLS: a
// list, separated by commas, of "objdump:PATH" and of what is to be put in
// front of "objdump"; empty: objdump of PATH, or of Debian's cross binutils for
// another machine than this one. Fails if `tools` leads to none.
Result<Disassembler> DisassemblerFor(uint16_t machine,
                                     const std::string& tools);

}  // namespace heapprof
