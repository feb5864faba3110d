// SPDX-License-Identifier: Apache-2.0
//
// libelf answers "there is none" also where it could not get memory, and its
// number for that is no part of its interface.
#pragma once

#include <string_view>

#include <libelf.h>

#include "heapprof/base/out_of_memory.h"

namespace heapprof {

// To be called behind a series of calls of libelf by the same thread.
inline void FailIfLibelfLacksMemory() {
  const int error = elf_errno();
  if (error != 0 && std::string_view(elf_errmsg(error)) == "out of memory")
    FailAllocation();
}

}  // namespace heapprof
