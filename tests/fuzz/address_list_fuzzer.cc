// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the addresses of --symbols: a consistent profile, and a location
// in it for each address.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cli/inputs/address_list.h"
#include "support/check_valid.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heapprof;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  const AddressList list = ReadAddressList(bytes, "", diagnostics);
  if (!CheckValid(list.profile).empty()) std::abort();
  for (const LocationId id : list.locations)
    if (id.index() >= list.profile.locations.size()) std::abort();
  return 0;
}
