// SPDX-License-Identifier: Apache-2.0
//
// A range of file addresses.
#pragma once

#include <cstdint>

namespace heapprof {

struct AddressRange {
  uint64_t start = 0;
  uint64_t end = 0;  // exclusive
};

}  // namespace heapprof
