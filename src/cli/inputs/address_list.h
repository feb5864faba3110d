// SPDX-License-Identifier: Apache-2.0
//
// What --symbols reads: addresses, one per line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct AddressList {
  Profile profile;  // with a location for each of them
  // By line of the input that has an address; none: one above 64 bits.
  std::vector<LocationId> locations;
};

// Takes the first "0x..." of each line, among whatever else the line has.
// Lines of a memory map say where files were; an address outside of them is one
// of the ELF file `program`, if that is not empty.
AddressList ReadAddressList(std::string_view text, const std::string& program,
                            Diagnostics& diagnostics);

}  // namespace heapprof
