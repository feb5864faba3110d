// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/unit_claims.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace heapprof {

void UnitClaims::Sort() {
  by_unit_ = claims_;
  // They are as a rule added in this order.
  if (!std::ranges::is_sorted(by_unit_, {}, &Claim::unit))
    std::ranges::sort(by_unit_, {}, &Claim::unit);
  std::ranges::sort(claims_, {}, [](const Claim& claim) {
    return std::tuple(claim.range.start, claim.unit, claim.range.end);
  });
}

UnitClaims UnitClaims::Since(size_t count) const {
  UnitClaims later;
  later.claims_.assign(claims_.begin() + static_cast<ptrdiff_t>(count),
                       claims_.end());
  later.Sort();
  return later;
}

std::vector<AddressRange> UnitClaims::RangesOf(uint32_t unit) const {
  std::vector<AddressRange> ranges;
  for (const Claim& claim :
       std::ranges::equal_range(by_unit_, unit, {}, &Claim::unit))
    ranges.push_back(claim.range);
  return ranges;
}

std::vector<UnitQuery> UnitClaims::Find(std::span<const uint64_t> addresses,
                                        std::span<uint8_t> taken) const {
  const uint32_t unit_count =
      claims_.empty() ? 0
                      : 1 + std::ranges::max(claims_, {}, &Claim::unit).unit;
  std::vector<std::vector<uint32_t>> by_unit(unit_count);
  // Sweeps over claims and addresses. A unit is open up to the highest end
  // of its ranges that have started.
  std::set<uint32_t> open;
  std::vector<uint64_t> open_ends(unit_count);
  size_t next = 0;
  for (uint32_t i = 0; i < addresses.size(); ++i) {
    if (open.empty()) {
      if (next == claims_.size()) break;
      const auto reached = std::ranges::lower_bound(
          addresses.begin() + i, addresses.end(), claims_[next].range.start);
      i = static_cast<uint32_t>(reached - addresses.begin());
      if (i == addresses.size()) break;
    }
    const uint64_t address = addresses[i];
    for (; next < claims_.size() && claims_[next].range.start <= address;
         ++next) {
      const Claim& claim = claims_[next];
      open_ends[claim.unit] = std::max(open_ends[claim.unit], claim.range.end);
      open.insert(claim.unit);
    }
    for (auto it = open.begin(); it != open.end() && taken[i] < kMaxClaims;) {
      if (open_ends[*it] <= address) {
        it = open.erase(it);
      } else {
        by_unit[*it].push_back(i);
        ++taken[i];
        ++it;
      }
    }
  }
  std::vector<UnitQuery> queries;
  for (uint32_t unit = 0; unit < by_unit.size(); ++unit)
    if (!by_unit[unit].empty())
      queries.push_back({unit, std::move(by_unit[unit])});
  return queries;
}

std::vector<UnitClaims::Share> UnitClaims::Shares() const {
  std::vector<uint64_t> boundaries;
  for (const Claim& claim : claims_) {
    boundaries.push_back(claim.range.start);
    boundaries.push_back(claim.range.end);
  }
  std::ranges::sort(boundaries);
  const auto rest = std::ranges::unique(boundaries);
  boundaries.erase(rest.begin(), rest.end());
  std::vector<Share> shares;
  for (const UnitQuery& query : Find(boundaries)) {
    Share share{.unit = query.unit, .ranges = {}};
    for (const uint32_t i : query.addresses) {
      // Nothing claims the last boundary, which is an end.
      const AddressRange range = {boundaries[i], boundaries[i + 1]};
      if (!share.ranges.empty() && share.ranges.back().end == range.start)
        share.ranges.back().end = range.end;
      else
        share.ranges.push_back(range);
    }
    shares.push_back(std::move(share));
  }
  return shares;
}

}  // namespace heapprof
