// SPDX-License-Identifier: Apache-2.0
//
// The stubs of the procedure linkage table, through which a file calls
// functions of other files. The stubs have no symbols. However, each stub jumps
// to the address in a slot of the GOT, and the relocation for that slot refers
// to the function's symbol, which has the name.
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

// Returns the stubs in .plt, .plt.sec and .plt.got of an x86-64 or aarch64
// file. Returns none for other machines, and for debug files, which have no
// code.
std::vector<PltStub> ReadPltStubs(const ElfImage& image);

}  // namespace heapprof
