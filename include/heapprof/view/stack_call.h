// SPDX-License-Identifier: Apache-2.0
//
// A call in a stack, to which the stack's value is charged.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapprof {

struct StackCall {
  size_t frame = 0;   // index of the frame in the stack; the leaf is 0
  uint32_t line = 0;  // index in Profile::lines
};

}  // namespace heapprof
