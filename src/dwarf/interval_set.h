// SPDX-License-Identifier: Apache-2.0
//
// A set of addresses, as the ranges that it consists of.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "dwarf/address_range.h"

namespace heapprof {

class IntervalSet {
 public:
  // Adds the addresses of `range` and returns those that were not in the set
  // before, by address.
  std::vector<AddressRange> Add(AddressRange range);

  // The addresses of `range` that are not in the set, by address.
  std::vector<AddressRange> Missing(AddressRange range) const;

 private:
  std::map<uint64_t, uint64_t> ranges_;  // end by start; they do not touch
};

}  // namespace heapprof
