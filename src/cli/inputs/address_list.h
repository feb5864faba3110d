// SPDX-License-Identifier: Apache-2.0
//
// The input of --symbols: addresses, one per line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct AddressList {
  Profile profile;  // has a location for each address
  // One for each input line with an address; LocationId{} if the address
  // exceeds 64 bits.
  std::vector<LocationId> locations;
};

// Reads the first number "0x..." of each line. Lines in the format of
// /proc/PID/maps are read as a memory map instead. An address outside the map
// counts as a virtual address of the ELF file at the path `program`, unless
// `program` is empty.
AddressList ReadAddressList(std::string_view text, const std::string& program,
                            Diagnostics& diagnostics);

}  // namespace heapprof
