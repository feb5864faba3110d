// SPDX-License-Identifier: Apache-2.0
//
// Keeps how the return addresses of one profile fit the files, for the profiles
// after it: dumps of one process have most addresses in common. Checking an
// address again reads code that is rarely in the processor's cache.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "symbolize/address_layout.h"

namespace heapprof {

class CheckedAddresses {
 public:
  // Returns what CheckBuild() does. `image` must live as long as this object;
  // `return_addresses` are sorted.
  BuildCheck Check(const ElfImage& image, AddressSpace space,
                   std::span<const uint64_t> return_addresses);

 private:
  // The BuildCheck of a single address.
  struct Known {
    uint64_t address = 0;
    bool has_bytes = false;
    bool follows_call = false;
    bool is_outside = false;
  };

  // Sorted by address.
  std::map<std::pair<const ElfImage*, AddressSpace>, std::vector<Known>> known_;
};

}  // namespace heapprof
