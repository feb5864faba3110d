// SPDX-License-Identifier: Apache-2.0
//
// What to do when a C library, such as libdw, reports that it is out of memory.
// The run has to end: otherwise it would produce a report that lacks names but
// looks complete.
#pragma once

#include <new>

namespace heapprof {

// Fails as `new` does: calls the new-handler, which ends the run. Without a
// new-handler, as in tests, throws std::bad_alloc. The attribute is GNU's
// because, unlike [[noreturn]], it is part of the function's type, and libdw
// accepts only a callback of that type.
[[gnu::noreturn]] inline void FailAllocation() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

}  // namespace heapprof
