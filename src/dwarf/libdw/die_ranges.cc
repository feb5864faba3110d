// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/die_ranges.h"

#include <cstddef>

namespace heapprof {

DieRangeReader::Found DieRangeReader::Read(Dwarf_Die* die,
                                           std::vector<AddressRange>& out) {
  out.clear();
  Found found;
  ptrdiff_t position = 0;
  Dwarf_Addr base = 0;
  Dwarf_Addr start = 0;
  Dwarf_Addr end = 0;
  while (budget_ > 0) {
    position = dwarf_ranges(die, position, &base, &start, &end);
    if (position <= 0) break;
    --budget_;
    found.has_ranges = true;
    if (start < end && IsCode(start)) out.push_back({start, end});
  }
  found.damaged = position < 0;
  return found;
}

}  // namespace heapprof
