// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/return_address_set.h"

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

std::span<const uint8_t> BytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

TEST(ReturnAddressSetTest, ContainsWhatWasEncoded) {
  std::mt19937_64 random(5);
  for (const size_t count : std::vector<size_t>{0, 1, 2, 127, 128, 129, 5000}) {
    std::set<uint64_t> addresses;
    uint64_t address = uint64_t{1} << 40;
    while (addresses.size() < count) {
      addresses.insert(address);
      address += 1 + random() % (random() % 10 == 0 ? 100'000 : 20);
    }
    const std::string encoded = ReturnAddressSet::Encode(
        std::vector(addresses.begin(), addresses.end()));
    const ReturnAddressSet set(BytesOf(encoded));
    EXPECT_EQ(set.size(), count);
    for (const uint64_t at : addresses) {
      EXPECT_TRUE(set.Contains(at));
      EXPECT_EQ(set.Contains(at + 1), addresses.contains(at + 1));
      EXPECT_EQ(set.Contains(at - 1), addresses.contains(at - 1));
    }
    for (const uint64_t at : {uint64_t{0}, address, UINT64_MAX})
      EXPECT_FALSE(set.Contains(at)) << count;
  }
}

TEST(ReturnAddressSetTest, TakesAboutAByteForEachAddress) {
  std::vector<uint64_t> addresses;
  for (uint64_t i = 0; i < 10'000; ++i) addresses.push_back(0x1000 + 17 * i);
  EXPECT_LT(ReturnAddressSet::Encode(addresses).size(), 11'000u);
}

TEST(ReturnAddressSetTest, ReadsAnyBytes) {
  std::vector<uint64_t> addresses;
  for (uint64_t i = 0; i < 300; ++i) addresses.push_back(0x1000 + 17 * i);
  const std::string whole = ReturnAddressSet::Encode(addresses);
  std::mt19937 random(6);
  for (size_t size = 0; size < whole.size(); ++size) {
    std::string damaged = whole.substr(0, size);
    if (size != 0)
      damaged[random() % size] = static_cast<char>(random() & 0xff);
    const ReturnAddressSet set(BytesOf(damaged));
    for (const uint64_t at : addresses) set.Contains(at);
  }
  EXPECT_EQ(ReturnAddressSet(BytesOf("\xff\xff\xff\xff")).size(), 0u);
}

}  // namespace
}  // namespace heapprof
