// SPDX-License-Identifier: Apache-2.0
//
// What to do where a C library could not get memory. A report with names
// missing for want of memory would look whole, so there is no way on.
#pragma once

#include <new>

namespace heapprof {

// Fails as `new` does: the program's new-handler ends it. Without one, as in
// tests, throws std::bad_alloc. GNU's attribute is part of the type, which
// libdw wants so.
[[gnu::noreturn]] inline void FailAllocation() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

}  // namespace heapprof
