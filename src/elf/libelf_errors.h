// SPDX-License-Identifier: Apache-2.0
//
// If libelf runs out of memory, its calls report "not found". The number of
// that error is not part of its interface, so the text is compared.
#pragma once

#include <string_view>

#include <libelf.h>

#include "heapprof/base/out_of_memory.h"

namespace heapprof {

// Call this after a series of libelf calls, in the same thread.
inline void FailIfLibelfLacksMemory() {
  const int error = elf_errno();
  if (error != 0 && std::string_view(elf_errmsg(error)) == "out of memory")
    FailAllocation();
}

}  // namespace heapprof
