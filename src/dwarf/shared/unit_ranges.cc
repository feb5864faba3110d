// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/unit_ranges.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace heapprof {

void UnitRanges::Sort() {
  by_unit_ = ranges_;
  // Usually there is nothing to sort, because ranges are added in the order of
  // units.
  if (!std::ranges::is_sorted(by_unit_, {}, &UnitRange::unit))
    std::ranges::sort(by_unit_, {}, &UnitRange::unit);
  std::ranges::sort(ranges_, {}, [](const UnitRange& r) {
    return std::tuple(r.range.start, r.unit, r.range.end);
  });
}

UnitRanges UnitRanges::AddedSince(size_t count) const {
  UnitRanges later;
  later.ranges_.assign(ranges_.begin() + static_cast<ptrdiff_t>(count),
                       ranges_.end());
  later.Sort();
  return later;
}

std::vector<AddressRange> UnitRanges::RangesOf(uint32_t unit) const {
  const std::vector<UnitRange>& sorted = by_unit_.empty() ? ranges_ : by_unit_;
  std::vector<AddressRange> ranges;
  for (const UnitRange& found :
       std::ranges::equal_range(sorted, unit, {}, &UnitRange::unit))
    ranges.push_back(found.range);
  return ranges;
}

std::vector<UnitLookup> UnitRanges::Find(std::span<const uint64_t> addresses,
                                         std::span<uint8_t> unit_counts) const {
  const uint32_t unit_count =
      ranges_.empty()
          ? 0
          : 1 + std::ranges::max(ranges_, {}, &UnitRange::unit).unit;
  std::vector<std::vector<uint32_t>> by_unit(unit_count);
  // Goes through ranges and addresses together, in ascending order. `open` has
  // the units with a range that started at or before the current address.
  // open_ends[unit] is the highest end of these ranges; once the address
  // reaches it, the unit is removed from `open`.
  std::set<uint32_t> open;
  std::vector<uint64_t> open_ends(unit_count);
  size_t next = 0;
  for (uint32_t i = 0; i < addresses.size(); ++i) {
    if (open.empty()) {
      if (next == ranges_.size()) break;
      const auto reached = std::ranges::lower_bound(
          addresses.begin() + i, addresses.end(), ranges_[next].range.start);
      i = static_cast<uint32_t>(reached - addresses.begin());
      if (i == addresses.size()) break;
    }
    const uint64_t address = addresses[i];
    for (; next < ranges_.size() && ranges_[next].range.start <= address;
         ++next) {
      const UnitRange& started = ranges_[next];
      open_ends[started.unit] =
          std::max(open_ends[started.unit], started.range.end);
      open.insert(started.unit);
    }
    for (auto it = open.begin();
         it != open.end() && unit_counts[i] < kMaxUnitsPerAddress;) {
      if (open_ends[*it] <= address) {
        it = open.erase(it);
      } else {
        by_unit[*it].push_back(i);
        ++unit_counts[i];
        ++it;
      }
    }
  }
  std::vector<UnitLookup> lookups;
  for (uint32_t unit = 0; unit < by_unit.size(); ++unit)
    if (!by_unit[unit].empty())
      lookups.push_back({unit, std::move(by_unit[unit])});
  return lookups;
}

std::vector<UnitRanges::UnitCode> UnitRanges::ByUnit() const {
  std::vector<uint64_t> boundaries;
  for (const UnitRange& recorded : ranges_) {
    boundaries.push_back(recorded.range.start);
    boundaries.push_back(recorded.range.end);
  }
  std::ranges::sort(boundaries);
  const auto rest = std::ranges::unique(boundaries);
  boundaries.erase(rest.begin(), rest.end());
  std::vector<UnitCode> by_unit;
  for (const UnitLookup& lookup : Find(boundaries)) {
    UnitCode unit_code{.unit = lookup.unit, .ranges = {}};
    for (const uint32_t i : lookup.addresses) {
      // boundaries[i + 1] exists, because no unit contains the last boundary:
      // it is the exclusive end of a range.
      const AddressRange range = {boundaries[i], boundaries[i + 1]};
      if (!unit_code.ranges.empty() &&
          unit_code.ranges.back().end == range.start)
        unit_code.ranges.back().end = range.end;
      else
        unit_code.ranges.push_back(range);
    }
    by_unit.push_back(std::move(unit_code));
  }
  return by_unit;
}

}  // namespace heapprof
