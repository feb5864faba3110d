// SPDX-License-Identifier: Apache-2.0
//
// The DWARF versions that a file uses.
#pragma once

#include <cstdint>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Returns the DWARF versions of the units in .debug_info, ascending, each once.
// The result is empty if there are no units or they cannot be read.
std::vector<uint16_t> DwarfVersions(const ElfImage& image);

}  // namespace heapprof
