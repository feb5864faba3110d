// SPDX-License-Identifier: Apache-2.0
//
// A set of addresses, as the ranges that it consists of.
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
  // Adds the addresses of `range`. Appends those that were not in the set
  // before to `added`, by address.
  void Add(AddressRange range, std::vector<AddressRange>& added);

  // Appends the addresses of `range` that are not in the set, by address.
  void FindMissing(AddressRange range,
                   std::vector<AddressRange>& missing) const;

 private:
  std::map<uint64_t, uint64_t> ranges_;  // end by start; they do not touch
};

// Where the ranges of `rows` overlap, the first one holds: returns what is left
// of each, by address.
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
