// SPDX-License-Identifier: Apache-2.0
#include "dwarf/interval_set.h"

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
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

TEST(IntervalSetTest, SaysWhatIsNew) {
  IntervalSet set;
  EXPECT_EQ(Of(set.Add({10, 20})), Of({{10, 20}}));
  EXPECT_EQ(Of(set.Add({30, 40})), Of({{30, 40}}));
  EXPECT_EQ(Of(set.Add({15, 35})), Of({{20, 30}}));
  EXPECT_EQ(Of(set.Missing({0, 50})), Of({{0, 10}, {40, 50}}));
  EXPECT_TRUE(set.Add({10, 40}).empty());
  EXPECT_TRUE(set.Missing({12, 13}).empty());
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
      ASSERT_EQ(Of(set.Missing(range)), missing);
      ASSERT_EQ(Of(set.Add(range)), missing);
      expected.merge(missing);
    }
  }
}

}  // namespace
}  // namespace heapprof
