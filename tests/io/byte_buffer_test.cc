// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/byte_buffer.h"

#include <cstring>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(ByteBufferTest, KeepsItsBytesAsItGrowsShrinksAndMoves) {
  ByteBuffer buffer;
  EXPECT_EQ(buffer.view(), "");
  buffer.Resize(3);
  std::memcpy(buffer.data(), "abc", 3);
  buffer.Resize(size_t{8} << 20);
  EXPECT_TRUE(buffer.view().starts_with("abc"));
  buffer.Resize(2);
  const std::string_view view = buffer.view();
  const ByteBuffer moved = std::move(buffer);
  EXPECT_EQ(view, "ab");
  EXPECT_EQ(moved.view().data(), view.data());
}

TEST(ByteBufferTest, CanBecomeEmptyAndGrowAgain) {
  ByteBuffer buffer;
  buffer.Resize(5);
  buffer.Resize(0);
  EXPECT_EQ(buffer.view(), "");
  buffer.Resize(1);
  EXPECT_EQ(buffer.size(), 1u);
}

}  // namespace
}  // namespace heapprof
