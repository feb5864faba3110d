// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace heapprof {

struct AddressRange {
  uint64_t start = 0;
  uint64_t end = 0;  // exclusive
};

}  // namespace heapprof
