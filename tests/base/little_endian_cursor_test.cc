// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/little_endian_cursor.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

using Bytes = std::vector<uint8_t>;

TEST(LittleEndianCursorTest, ReadsNumbersLowestByteFirst) {
  const Bytes bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  constexpr uint64_t kAll = 0x0908070605040302;
  for (size_t size = 1; size <= 8; ++size) {
    LittleEndianCursor cursor(bytes, 1);
    EXPECT_EQ(cursor.Unsigned(size), kAll & (UINT64_MAX >> (64 - 8 * size)));
    EXPECT_EQ(cursor.offset(), 1 + size);
    EXPECT_EQ(cursor.AtEnd(), size == 8);
    EXPECT_TRUE(cursor.ok());
  }
}

TEST(LittleEndianCursorTest, ReadsNumbersThatEndTheBytes) {
  const Bytes bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  constexpr uint64_t kAll = 0x0908070605040302;
  for (size_t size = 1; size <= 8; ++size) {
    LittleEndianCursor cursor(bytes, bytes.size() - size);
    EXPECT_EQ(cursor.Unsigned(size), kAll >> (64 - 8 * size));
    EXPECT_TRUE(cursor.AtEnd());
    EXPECT_TRUE(cursor.ok());
    EXPECT_EQ(cursor.Unsigned(size), 0u);
    EXPECT_FALSE(cursor.ok());
  }
}

TEST(LittleEndianCursorTest, ShowsTheNextByte) {
  const Bytes bytes = {7};
  LittleEndianCursor cursor(bytes);
  EXPECT_EQ(cursor.Peek(), 7u);
  EXPECT_EQ(cursor.offset(), 0u);
  cursor.Skip(1);
  EXPECT_EQ(cursor.Peek(), 0u);
  EXPECT_TRUE(cursor.ok());
}

TEST(LittleEndianCursorTest, GivesZerosOnceItHasReadPastTheEnd) {
  const Bytes bytes = {1, 2, 3};
  LittleEndianCursor cursor(bytes);
  EXPECT_EQ(cursor.U32(), 0u);
  EXPECT_FALSE(cursor.ok());
  EXPECT_EQ(cursor.U8(), 0u);
  EXPECT_EQ(cursor.Uleb(), 0u);
  EXPECT_EQ(cursor.String(), "");
  EXPECT_TRUE(cursor.AtEnd());
  EXPECT_EQ(cursor.offset(), 3u);
}

TEST(LittleEndianCursorTest, HasFailedIfItStartsPastTheEnd) {
  const Bytes bytes = {1};
  EXPECT_TRUE(LittleEndianCursor(bytes, 1).ok());
  EXPECT_FALSE(LittleEndianCursor(bytes, 2).ok());
  EXPECT_FALSE(LittleEndianCursor(bytes, UINT64_MAX).ok());
  EXPECT_EQ(LittleEndianCursor(bytes, 2).remaining(), 0u);
}

// DWARF 5, tables 7.7 and 7.8, and the ends of the range.
TEST(LittleEndianCursorTest, ReadsLeb128) {
  struct Case {
    Bytes bytes;
    uint64_t as_unsigned;
    int64_t as_signed;
  };
  const Bytes ones(9, 0xff);
  Bytes all_ones = ones;
  all_ones.push_back(0x01);
  Bytes lowest(9, 0x80);
  lowest.push_back(0x7f);
  Bytes long_zero(20, 0x80);
  long_zero.push_back(0);
  for (const Case& c : {
           Case{{2}, 2, 2},
           Case{{0x7f}, 127, -1},
           Case{{0x7e}, 126, -2},
           Case{{0xff, 0x00}, 127, 127},
           Case{{0x80, 0x01}, 128, 128},
           Case{{0x80, 0x7f}, 16256, -128},
           Case{{0xb9, 0x64}, 12857, -3527},
           Case{all_ones, UINT64_MAX, -1},
           Case{lowest, uint64_t{1} << 63, INT64_MIN},
           Case{long_zero, 0, 0},
       }) {
    SCOPED_TRACE(c.as_signed);
    LittleEndianCursor as_unsigned(c.bytes);
    LittleEndianCursor as_signed(c.bytes);
    LittleEndianCursor skipped(c.bytes);
    EXPECT_EQ(as_unsigned.Uleb(), c.as_unsigned);
    EXPECT_EQ(as_signed.Sleb(), c.as_signed);
    skipped.SkipLeb();
    for (const auto* cursor : {&as_unsigned, &as_signed, &skipped})
      EXPECT_TRUE(cursor->ok() && cursor->AtEnd());
  }
}

TEST(LittleEndianCursorTest, FailsOnLeb128WithoutEnd) {
  const Bytes bytes(12, 0x80);
  LittleEndianCursor as_unsigned(bytes);
  LittleEndianCursor as_signed(bytes);
  LittleEndianCursor skipped(bytes);
  EXPECT_EQ(as_unsigned.Uleb(), 0u);
  EXPECT_EQ(as_signed.Sleb(), 0);
  skipped.SkipLeb();
  for (const auto* cursor : {&as_unsigned, &as_signed, &skipped})
    EXPECT_FALSE(cursor->ok());
}

TEST(LittleEndianCursorTest, ReadsTextUpToItsNul) {
  const Bytes bytes = {'a', 'b', 0, 0, 'c'};
  LittleEndianCursor cursor(bytes);
  EXPECT_EQ(cursor.String(), "ab");
  EXPECT_EQ(cursor.String(), "");
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.String(), "");
  EXPECT_FALSE(cursor.ok());
}

TEST(LittleEndianCursorTest, TakesAndSkipsOnlyExistingBytes) {
  const Bytes bytes = {1, 2, 3, 4};
  LittleEndianCursor cursor(bytes);
  LittleEndianCursor part = cursor.Take(2);
  EXPECT_EQ(part.U16(), 0x0201u);
  EXPECT_TRUE(part.AtEnd());
  EXPECT_EQ(cursor.remaining(), 2u);
  cursor.Skip(UINT64_MAX);
  EXPECT_FALSE(cursor.ok());
  EXPECT_EQ(cursor.Bytes(1).size(), 0u);
}

TEST(LittleEndianCursorTest, FailsWithoutBytes) {
  LittleEndianCursor cursor;
  EXPECT_TRUE(cursor.ok() && cursor.AtEnd());
  EXPECT_EQ(cursor.Unsigned(0), 0u);
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.String(), "");
  EXPECT_FALSE(cursor.ok());
}

TEST(LittleEndianCursorTest, FailsOnNumbersOfMoreThan8Bytes) {
  const Bytes bytes(32, 1);
  LittleEndianCursor cursor(bytes);
  EXPECT_EQ(cursor.Unsigned(9), 0u);
  EXPECT_FALSE(cursor.ok());
}

}  // namespace
}  // namespace heapprof
