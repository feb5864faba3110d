// SPDX-License-Identifier: Apache-2.0
//
// A set of addresses, stored as disjoint ranges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "dwarf/shared/address_range.h"

namespace heapprof {

class IntervalSet {
 public:
  // Adds the addresses of `range`. Appends the parts of `range` that were not
  // in the set before to `added`, sorted.
  void Add(AddressRange range, std::vector<AddressRange>& added);

  // Appends the parts of `range` that are not in the set to `missing`, sorted.
  void FindMissing(AddressRange range,
                   std::vector<AddressRange>& missing) const;

 private:
  // Maps the start of each range to its end. The ranges do not touch.
  std::map<uint64_t, uint64_t> ranges_;
};

// Removes overlaps between the ranges of `rows`. An address that is in several
// rows stays only in the first of them. Returns the remaining pieces of the
// rows, sorted by address.
template <typename Row>
std::vector<Row> CutOverlaps(std::span<const Row> rows) {
  IntervalSet covered;
  std::vector<Row> cut;
  std::vector<AddressRange> pieces;
  for (Row row : rows) {
    pieces.clear();
    covered.Add(row.range, pieces);
    for (const AddressRange& piece : pieces) {
      row.range = piece;
      cut.push_back(row);
    }
  }
  std::ranges::sort(cut, {}, [](const Row& row) { return row.range.start; });
  return cut;
}

}  // namespace heapprof
