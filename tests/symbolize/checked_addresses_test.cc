// SPDX-License-Identifier: Apache-2.0
#include "symbolize/checked_addresses.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

// Addresses that follow calls, that do not, and that are outside the code; some
// of them twice.
std::vector<uint64_t> SomeAddresses(std::mt19937& random) {
  std::vector<uint64_t> all;
  for (const uint64_t offset : OffsetsOf("lld/app"))
    for (const uint64_t shift : {0U, 1U, 0U, 1U << 20})
      if (random() % 3 == 0) all.push_back(offset + shift);
  std::ranges::sort(all);
  return all;
}

TEST(CheckedAddressesTest, AgreesWithTheCheckOfAllAddresses) {
  const auto image = ElfImage::Open(Fixture("lld/app"));
  ASSERT_TRUE(image);
  std::mt19937 random(1);
  CheckedAddresses checked;
  int mixed = 0;
  for (int profile = 0; profile < 20; ++profile) {
    const std::vector<uint64_t> addresses = SomeAddresses(random);
    for (const AddressSpace space :
         {AddressSpace::kFileOffset, AddressSpace::kFileAddress,
          AddressSpace::kUnknown}) {
      const BuildCheck expected = CheckBuild(*image, space, addresses);
      const BuildCheck found = checked.Check(*image, space, addresses);
      EXPECT_EQ(found.calls.checked, expected.calls.checked);
      EXPECT_EQ(found.calls.after_call, expected.calls.after_call);
      EXPECT_EQ(found.count, expected.count);
      EXPECT_EQ(found.outside, expected.outside);
      mixed += expected.calls.after_call != 0 && expected.outside != 0 &&
               expected.calls.after_call < expected.calls.checked;
    }
  }
  EXPECT_GT(mixed, 10);
  EXPECT_EQ(checked.Check(*image, AddressSpace::kFileOffset, {}).count, 0U);
}

}  // namespace
}  // namespace heapprof
