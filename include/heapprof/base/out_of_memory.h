// SPDX-License-Identifier: Apache-2.0
//
// What to do if a C library runs out of memory. A report that lacks names
// because of that would look complete, so the run has to end.
#pragma once

#include <new>

namespace heapprof {

// Fails as `new` does: the program's new-handler ends the run. Without a
// handler, as in tests, throws std::bad_alloc. libdw requires GNU's attribute
// here, which is part of the function's type.
[[gnu::noreturn]] inline void FailAllocation() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

}  // namespace heapprof
