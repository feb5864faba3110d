// SPDX-License-Identifier: Apache-2.0
//
// The DWARF versions that a file uses.
#pragma once

#include <cstdint>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

// The versions of the units in .debug_info, ascending, each once. Empty if
// there are none or they cannot be read.
std::vector<uint16_t> DwarfVersions(const ElfImage& image);

}  // namespace heapprof
