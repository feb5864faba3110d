// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/address_owners.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

constexpr uint32_t kNone = AddressOwners::kNone;

TEST(AddressOwnersTest, GivesAddressesToTheInnermostCall) {
  const std::vector<uint64_t> addresses = {1, 2, 3, 4, 5};
  AddressOwners owners(addresses);
  const std::vector<AddressRange> function = {{1, 5}}, outer = {{2, 5}},
                                  inner = {{3, 4}};
  EXPECT_EQ(owners.AddFunction(function), 0u);
  EXPECT_EQ(owners.AddInlinedCall(0, outer), 1u);
  EXPECT_EQ(owners.AddInlinedCall(1, inner), 2u);
  EXPECT_THAT(std::move(owners).TakeInnermost(),
              ElementsAre(0, 1, 2, 1, kNone));
}

// Sanitizers see whether the call is asked for before it is there.
TEST(AddressOwnersTest, TakesRangesOfOneCallThatOverlap) {
  const std::vector<uint64_t> addresses = {1, 2, 3};
  AddressOwners owners(addresses);
  const std::vector<AddressRange> function = {{1, 4}},
                                  call = {{1, 3}, {2, 4}, {1, 4}};
  EXPECT_EQ(owners.AddFunction(function), 0u);
  EXPECT_EQ(owners.AddInlinedCall(0, call), 1u);
  EXPECT_THAT(std::move(owners).TakeInnermost(), ElementsAre(1, 1, 1));
}

// Those of an enclosing function go on behind a nested one.
TEST(AddressOwnersTest, TakesCallsOfAnEarlierFunction) {
  const std::vector<uint64_t> addresses = {1, 2, 3, 10, 11};
  AddressOwners owners(addresses);
  const std::vector<AddressRange> outer = {{1, 4}}, nested = {{10, 12}},
                                  in_outer = {{3, 4}, {11, 12}},
                                  in_nested = {{2, 3}, {11, 12}};
  EXPECT_EQ(owners.AddFunction(outer), 0u);
  EXPECT_EQ(owners.AddFunction(nested), 1u);
  EXPECT_EQ(owners.AddInlinedCall(0, in_outer), 2u);
  EXPECT_EQ(owners.AddInlinedCall(1, in_nested), 3u);
  EXPECT_THAT(std::move(owners).TakeInnermost(), ElementsAre(0, 0, 2, 1, 3));
}

}  // namespace
}  // namespace heapprof
