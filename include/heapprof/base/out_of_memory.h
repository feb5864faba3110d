// SPDX-License-Identifier: Apache-2.0
//
// Ends the run if a C library, such as libdw, reports that it is out of memory.
// If the run went on, it would produce a report that lacks names but looks
// complete.
#pragma once

#include <new>

namespace heapprof {

// Fails as `new` does: calls the new-handler, which ends the run. Without a
// new-handler, as in tests, throws std::bad_alloc. The attribute is GNU's,
// because libdw takes this function as a callback, and the type of the callback
// includes that it never returns. [[noreturn]] is not part of a function's
// type.
[[gnu::noreturn]] inline void FailAllocation() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

}  // namespace heapprof
