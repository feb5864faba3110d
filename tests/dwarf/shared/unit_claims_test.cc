// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/unit_claims.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

std::map<uint32_t, std::vector<uint32_t>> Find(
    const UnitClaims& claims, const std::vector<uint64_t>& addresses) {
  std::map<uint32_t, std::vector<uint32_t>> found;
  for (const UnitQuery& query : claims.Find(addresses))
    EXPECT_TRUE(found.emplace(query.unit, query.addresses).second);
  return found;
}

TEST(UnitClaimsTest, GivesAddressesToTheUnitsWhoseRangesHoldThem) {
  UnitClaims claims;
  claims.Add({100, 200}, 1);
  claims.Add({10, 20}, 1);
  claims.Add({20, 30}, 0);
  claims.Add({150, 160}, 2);
  claims.Sort();
  EXPECT_THAT(
      Find(claims, {9, 10, 19, 20, 30, 99, 155, 199, 200}),
      ElementsAre(Pair(0, ElementsAre(3)), Pair(1, ElementsAre(1, 2, 6, 7)),
                  Pair(2, ElementsAre(6))));
}

TEST(UnitClaimsTest, KnowsTheRangesOfAUnit) {
  UnitClaims claims;
  claims.Add({100, 200}, 1);
  claims.Add({20, 30}, 0);
  claims.Add({10, 20}, 1);
  claims.Sort();
  const auto starts = [&claims](uint32_t unit) {
    std::vector<uint64_t> found;
    for (const AddressRange& range : claims.RangesOf(unit))
      found.push_back(range.start);
    return found;
  };
  EXPECT_THAT(starts(0), ElementsAre(20));
  EXPECT_THAT(starts(1), UnorderedElementsAre(10, 100));
  EXPECT_THAT(starts(2), IsEmpty());
}

TEST(UnitClaimsTest, KnowsNothingWithoutClaimsOrAddresses) {
  UnitClaims claims;
  claims.Sort();
  EXPECT_THAT(claims.Find(std::vector<uint64_t>{1, 2}), IsEmpty());
  claims.Add({1, 9}, 0);
  claims.Sort();
  EXPECT_THAT(claims.Find({}), IsEmpty());
}

TEST(UnitClaimsTest, ConsidersTheFirstUnitsOfManyThatClaimAnAddress) {
  UnitClaims claims;
  for (uint32_t unit = 100; unit-- > 0;) claims.Add({5, 7}, unit);
  claims.Sort();
  const auto found = Find(claims, {5, 6});
  ASSERT_EQ(found.size(), UnitClaims::kMaxClaims);
  EXPECT_EQ(found.rbegin()->first, UnitClaims::kMaxClaims - 1);
}

TEST(UnitClaimsTest, GivesTheSameInPartsAsAtOnce) {
  constexpr uint32_t kUnits = 40;
  const std::vector<uint64_t> addresses = {3, 4, 10, 11, 30, 77};
  for (const uint32_t part : {1U, 3U, 7U, kUnits}) {
    UnitClaims claims;
    std::vector<uint8_t> taken(addresses.size());
    std::map<uint32_t, std::vector<uint32_t>> found;
    for (uint32_t first = 0; first < kUnits; first += part) {
      const size_t known = claims.size();
      for (uint32_t unit = first; unit < std::min(first + part, kUnits);
           ++unit) {
        claims.Add({uint64_t{unit} % 13, 12}, unit);
        claims.Add({70 - unit, 70 + unit}, unit);
      }
      for (const UnitQuery& query : claims.Since(known).Find(addresses, taken))
        EXPECT_TRUE(found.emplace(query.unit, query.addresses).second);
    }
    claims.Sort();
    EXPECT_EQ(found, Find(claims, addresses)) << part;
    EXPECT_EQ(std::ranges::max(taken), UnitClaims::kMaxClaims);
  }
}

TEST(UnitClaimsTest, ReachesTheEndOfTheAddressSpace) {
  UnitClaims claims;
  claims.Add({UINT64_MAX - 1, UINT64_MAX}, 3);
  claims.Sort();
  EXPECT_THAT(Find(claims, {UINT64_MAX - 1, UINT64_MAX}),
              ElementsAre(Pair(3, ElementsAre(0))));
}

TEST(UnitClaimsTest, SharesOutWhatItFinds) {
  UnitClaims claims;
  claims.Add({10, 20}, 1);
  claims.Add({15, 30}, 0);
  claims.Add({30, 40}, 0);
  claims.Add({60, 70}, 2);
  for (uint32_t unit = 3; unit < 20; ++unit) claims.Add({60, 70}, unit);
  claims.Add({5, 65}, 30);
  claims.Sort();
  std::vector<uint64_t> all;
  for (uint64_t at = 0; at < 80; ++at) all.push_back(at);
  std::map<uint32_t, std::vector<uint32_t>> shared;
  for (const UnitClaims::Share& share : claims.Shares())
    for (const AddressRange& range : share.ranges)
      for (uint64_t at = range.start; at < range.end; ++at)
        shared[share.unit].push_back(static_cast<uint32_t>(at));
  EXPECT_EQ(shared, Find(claims, all));
  // Ranges that touch are one.
  EXPECT_EQ(claims.Shares().front().ranges.size(), 1u);
}

}  // namespace
}  // namespace heapprof
