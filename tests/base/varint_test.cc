// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/varint.h"

#include <iterator>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {
namespace {

std::string Varint(uint64_t value) {
  std::string bytes;
  PutVarint(std::back_inserter(bytes), value);
  return bytes;
}

TEST(VarintTest, HasSevenBitsInEachByte) {
  EXPECT_EQ(Varint(0), std::string(1, '\0'));
  EXPECT_EQ(Varint(0x7f), "\x7f");
  EXPECT_EQ(Varint(0x80), "\x80\x01");
  EXPECT_EQ(Varint(0x3fff), "\xff\x7f");
  EXPECT_EQ(Varint(UINT64_MAX), std::string(9, '\xff') + '\x01');
}

TEST(VarintTest, CanBeReadAgain) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const uint64_t value = UINT64_MAX >> bit;
    const std::string bytes = Varint(value);
    EXPECT_LE(bytes.size(), kMaxVarintSize);
    LittleEndianCursor cursor(std::span(
        reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
    EXPECT_EQ(cursor.Uleb(), value);
    EXPECT_TRUE(cursor.AtEnd());
  }
}

TEST(ZigZagTest, AlternatesBetweenPositiveAndNegative) {
  EXPECT_EQ(ZigZag(0), 0U);
  EXPECT_EQ(ZigZag(-1), 1U);
  EXPECT_EQ(ZigZag(1), 2U);
  EXPECT_EQ(ZigZag(INT64_MAX), UINT64_MAX - 1);
  EXPECT_EQ(ZigZag(INT64_MIN), UINT64_MAX);
  for (const int64_t value : {INT64_MIN, int64_t{-2}, int64_t{0}, INT64_MAX})
    EXPECT_EQ(UnZigZag(ZigZag(value)), value);
}

}  // namespace
}  // namespace heapprof
