// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/unit_ranges.h"

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
    const UnitRanges& ranges, const std::vector<uint64_t>& addresses) {
  std::map<uint32_t, std::vector<uint32_t>> found;
  for (const UnitLookup& lookup : ranges.Find(addresses))
    EXPECT_TRUE(found.emplace(lookup.unit, lookup.addresses).second);
  return found;
}

TEST(UnitRangesTest, FindsTheUnitsWhoseRangesHoldAnAddress) {
  UnitRanges ranges;
  ranges.Add({100, 200}, 1);
  ranges.Add({10, 20}, 1);
  ranges.Add({20, 30}, 0);
  ranges.Add({150, 160}, 2);
  ranges.Sort();
  EXPECT_THAT(
      Find(ranges, {9, 10, 19, 20, 30, 99, 155, 199, 200}),
      ElementsAre(Pair(0, ElementsAre(3)), Pair(1, ElementsAre(1, 2, 6, 7)),
                  Pair(2, ElementsAre(6))));
}

TEST(UnitRangesTest, ReturnsTheRangesOfAUnit) {
  UnitRanges ranges;
  ranges.Add({100, 200}, 1);
  ranges.Add({20, 30}, 0);
  ranges.Add({10, 20}, 1);
  ranges.Sort();
  const auto starts = [&ranges](uint32_t unit) {
    std::vector<uint64_t> found;
    for (const AddressRange& range : ranges.RangesOf(unit))
      found.push_back(range.start);
    return found;
  };
  EXPECT_THAT(starts(0), ElementsAre(20));
  EXPECT_THAT(starts(1), UnorderedElementsAre(10, 100));
  EXPECT_THAT(starts(2), IsEmpty());
}

TEST(UnitRangesTest, FindsNothingWithoutRangesOrAddresses) {
  UnitRanges ranges;
  ranges.Sort();
  EXPECT_THAT(ranges.Find(std::vector<uint64_t>{1, 2}), IsEmpty());
  ranges.Add({1, 9}, 0);
  ranges.Sort();
  EXPECT_THAT(ranges.Find({}), IsEmpty());
}

TEST(UnitRangesTest, FindsTheFirstOfManyUnitsWithAnAddress) {
  UnitRanges ranges;
  for (uint32_t unit = 100; unit-- > 0;) ranges.Add({5, 7}, unit);
  ranges.Sort();
  const auto found = Find(ranges, {5, 6});
  ASSERT_EQ(found.size(), UnitRanges::kMaxUnitsPerAddress);
  EXPECT_EQ(found.rbegin()->first, UnitRanges::kMaxUnitsPerAddress - 1);
}

TEST(UnitRangesTest, FindsTheSameInStepsAsAtOnce) {
  constexpr uint32_t kUnits = 40;
  const std::vector<uint64_t> addresses = {3, 4, 10, 11, 30, 77};
  for (const uint32_t part : {1U, 3U, 7U, kUnits}) {
    UnitRanges ranges;
    std::vector<uint8_t> unit_counts(addresses.size());
    std::map<uint32_t, std::vector<uint32_t>> found;
    for (uint32_t first = 0; first < kUnits; first += part) {
      const size_t known = ranges.size();
      for (uint32_t unit = first; unit < std::min(first + part, kUnits);
           ++unit) {
        ranges.Add({uint64_t{unit} % 13, 12}, unit);
        ranges.Add({70 - unit, 70 + unit}, unit);
      }
      for (const UnitLookup& lookup :
           ranges.AddedSince(known).Find(addresses, unit_counts))
        EXPECT_TRUE(found.emplace(lookup.unit, lookup.addresses).second);
    }
    ranges.Sort();
    EXPECT_EQ(found, Find(ranges, addresses)) << part;
    EXPECT_EQ(std::ranges::max(unit_counts), UnitRanges::kMaxUnitsPerAddress);
  }
}

TEST(UnitRangesTest, ReachesTheEndOfTheAddressSpace) {
  UnitRanges ranges;
  ranges.Add({UINT64_MAX - 1, UINT64_MAX}, 3);
  ranges.Sort();
  EXPECT_THAT(Find(ranges, {UINT64_MAX - 1, UINT64_MAX}),
              ElementsAre(Pair(3, ElementsAre(0))));
}

TEST(UnitRangesTest, ReturnsByUnitTheRangesThatFindUses) {
  UnitRanges ranges;
  ranges.Add({10, 20}, 1);
  ranges.Add({15, 30}, 0);
  ranges.Add({30, 40}, 0);
  ranges.Add({60, 70}, 2);
  for (uint32_t unit = 3; unit < 20; ++unit) ranges.Add({60, 70}, unit);
  ranges.Add({5, 65}, 30);
  ranges.Sort();
  std::vector<uint64_t> all;
  for (uint64_t at = 0; at < 80; ++at) all.push_back(at);
  std::map<uint32_t, std::vector<uint32_t>> by_unit;
  for (const UnitRanges::UnitCode& unit_code : ranges.ByUnit())
    for (const AddressRange& range : unit_code.ranges)
      for (uint64_t at = range.start; at < range.end; ++at)
        by_unit[unit_code.unit].push_back(static_cast<uint32_t>(at));
  EXPECT_EQ(by_unit, Find(ranges, all));
  // Adjacent ranges are joined.
  EXPECT_EQ(ranges.ByUnit().front().ranges.size(), 1u);
}

}  // namespace
}  // namespace heapprof
