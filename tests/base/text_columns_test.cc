// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/text_columns.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(ColumnsTest, CountsCharacters) {
  EXPECT_EQ(Columns(""), 0u);
  EXPECT_EQ(Columns("abc"), 3u);
  EXPECT_EQ(Columns("a…é"), 3u);
}

TEST(ShortenedTest, KeepsBothEndsOfLongText) {
  EXPECT_EQ(Shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(Shortened("abcdef", 5), "ab…ef");
  EXPECT_EQ(Shortened("éabcdé", 5), "éa…dé");
  EXPECT_EQ(Shortened("abcdef", 2), "a…");
  EXPECT_EQ(Shortened("abcdef", 1), "…");
}

}  // namespace
}  // namespace heapprof
