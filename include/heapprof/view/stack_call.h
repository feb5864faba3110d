// SPDX-License-Identifier: Apache-2.0
//
// A call in a stack, to which the stack's value is charged.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapprof {

struct StackCall {
  size_t frame = 0;   // leaf first
  uint32_t line = 0;  // index of Profile::lines
};

}  // namespace heapprof
