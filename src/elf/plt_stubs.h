// SPDX-License-Identifier: Apache-2.0
//
// The stubs of the procedure linkage table, through which calls leave a file.
// They have no symbols: each jumps through a slot, and the relocation of that
// slot knows the function's name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct PltStub {
  uint64_t address = 0;
  uint64_t size = 0;
  std::string name;  // "malloc@plt"
};

// Those of .plt, .plt.sec and .plt.got, for x86-64 and aarch64; none for other
// machines, and none of a debug file, which has no code.
std::vector<PltStub> ReadPltStubs(const ElfImage& image);

}  // namespace heapprof
