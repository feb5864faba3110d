// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/interval_set.h"

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof::interval_set_test {
namespace {

using Addresses = std::set<uint64_t>;

Addresses Of(const std::vector<AddressRange>& ranges) {
  Addresses addresses;
  for (const AddressRange& range : ranges) {
    EXPECT_LT(range.start, range.end);
    for (uint64_t at = range.start; at < range.end; ++at)
      EXPECT_TRUE(addresses.insert(at).second) << at;
  }
  return addresses;
}

Addresses Add(IntervalSet& set, AddressRange range) {
  std::vector<AddressRange> added;
  set.Add(range, added);
  return Of(added);
}

Addresses Missing(const IntervalSet& set, AddressRange range) {
  std::vector<AddressRange> missing;
  set.FindMissing(range, missing);
  return Of(missing);
}

TEST(IntervalSetTest, ReturnsTheAddressesThatAreNew) {
  IntervalSet set;
  EXPECT_EQ(Add(set, {10, 20}), Of({{10, 20}}));
  EXPECT_EQ(Add(set, {30, 40}), Of({{30, 40}}));
  EXPECT_EQ(Add(set, {15, 35}), Of({{20, 30}}));
  EXPECT_EQ(Missing(set, {0, 50}), Of({{0, 10}, {40, 50}}));
  EXPECT_TRUE(Add(set, {10, 40}).empty());
  EXPECT_TRUE(Missing(set, {12, 13}).empty());
}

TEST(IntervalSetTest, AgreesWithASetOfAddresses) {
  std::mt19937 random(9);
  for (int round = 0; round < 50; ++round) {
    IntervalSet set;
    Addresses expected;
    for (int i = 0; i < 40; ++i) {
      const uint64_t start = random() % 100;
      const AddressRange range = {start, start + 1 + random() % 12};
      Addresses missing;
      for (uint64_t at = range.start; at < range.end; ++at)
        if (!expected.contains(at)) missing.insert(at);
      ASSERT_EQ(Missing(set, range), missing);
      ASSERT_EQ(Add(set, range), missing);
      expected.merge(missing);
    }
  }
}

TEST(CutOverlapsTest, KeepsTheFirstOfOverlappingRows) {
  struct Row {
    AddressRange range;
    char name;
  };
  std::string shown;
  for (const Row& row : CutOverlaps<Row>(std::vector<Row>{
           {{20, 30}, 'a'}, {{10, 40}, 'b'}, {{22, 28}, 'c'}, {{5, 12}, 'd'}}))
    shown += std::to_string(row.range.start) + row.name +
             std::to_string(row.range.end) + " ";
  EXPECT_EQ(shown, "5d10 10b20 20a30 30b40 ");
}

}  // namespace
}  // namespace heapprof::interval_set_test
