// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/code_boundaries.h"

#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

TEST(CodeBoundariesTest, IgnoresAddressesOutsideOfTheFunction) {
  const std::vector<AddressRange> own = {{10, 20}, {30, 40}};
  CodeBoundaries boundaries;
  boundaries.Restart(own);
  for (const uint64_t address : {9u, 12u, 20u, 25u, 39u, 12u, 40u})
    boundaries.Add(address);
  boundaries.Number();
  EXPECT_THAT(boundaries.addresses(), ElementsAre(10, 12, 30, 39));
}

// For small functions, and for those too large for a bit per byte.
TEST(CodeBoundariesTest, AgreesWithASetOfAddresses) {
  std::mt19937_64 random(5);
  CodeBoundaries boundaries;
  for (int round = 0; round < 400; ++round) {
    const uint64_t size = round % 2 == 0 ? 300 : uint64_t{1} << 60;
    std::vector<AddressRange> own;
    std::set<uint64_t> expected;
    for (uint64_t at = random() % size; own.size() < 1 + random() % 4;
         at = own.back().end + random() % size) {
      own.push_back({at, at + 1 + random() % size});
      expected.insert(at);
    }
    boundaries.Restart(own);
    std::vector<uint64_t> asked;
    for (int i = 0; i < 30; ++i) {
      const AddressRange& range = own[random() % own.size()];
      asked.push_back(range.start + random() % (range.end - range.start));
      boundaries.Add(asked.back());
      expected.insert(asked.back());
      asked.push_back(range.end + random() % size);
    }
    boundaries.Number();
    ASSERT_THAT(boundaries.addresses(), ElementsAreArray(expected));
    for (const uint64_t address : asked)
      EXPECT_EQ(boundaries.CountBefore(address),
                static_cast<size_t>(std::distance(
                    expected.begin(), expected.lower_bound(address))));
  }
}

}  // namespace
}  // namespace heapprof
