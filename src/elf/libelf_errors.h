// SPDX-License-Identifier: Apache-2.0
//
// Detects that libelf ran out of memory. The return values of libelf's
// functions do not show this: they are the same as if the requested item did
// not exist. Compares the text of the error, because the error's number is not
// part of libelf's interface.
#pragma once

#include <string_view>

#include <libelf.h>

#include "heapprof/base/out_of_memory.h"

namespace heapprof {

// Ends the run (see FailAllocation()) if libelf ran out of memory. Call this
// after a series of libelf calls, in the same thread.
inline void FailIfLibelfLacksMemory() {
  const int error = elf_errno();
  if (error != 0 && std::string_view(elf_errmsg(error)) == "out of memory")
    FailAllocation();
}

}  // namespace heapprof
