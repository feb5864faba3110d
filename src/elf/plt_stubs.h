// SPDX-License-Identifier: Apache-2.0
//
// The stubs of the procedure linkage table, through which a file calls
// functions of other files. The stubs have no symbols. But each stub jumps to
// an address that is stored in a slot of the GOT, and the relocation of that
// slot has the name of the function.
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

// The stubs in .plt, .plt.sec and .plt.got, for x86-64 and aarch64. Empty for
// other machines, and for debug files, which have no code.
std::vector<PltStub> ReadPltStubs(const ElfImage& image);

}  // namespace heapprof
