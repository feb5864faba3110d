// SPDX-License-Identifier: Apache-2.0
#include "report/valid_utf8.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(ValidUtf8Test, KeepsWellFormedText) {
  for (const char* text :
       {"", "plain", "größen", "日本", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(ValidUtf8(text), text) << text;
}

TEST(ValidUtf8Test, ReplacesEachBadByte) {
  EXPECT_EQ(ValidUtf8("a\xff\x80z"), "a??z");
  EXPECT_EQ(ValidUtf8("\xc3"), "?");
  EXPECT_EQ(ValidUtf8("\xe6\x97x"), "??x");
}

TEST(ValidUtf8Test, ReplacesOverlongFormsSurrogatesAndLargeNumbers) {
  EXPECT_EQ(ValidUtf8("\xc0\xaf"), "??");
  EXPECT_EQ(ValidUtf8("\xe0\x80\xaf"), "???");
  EXPECT_EQ(ValidUtf8("\xed\xa0\x80"), "???");
  EXPECT_EQ(ValidUtf8("\xf4\x90\x80\x80"), "????");
}

TEST(IsValidUtf8Test, AgreesWithTheReplacement) {
  for (const char* text : {"", "f", "na\xc3\xafve", "\xf0\x9f\x98\x80"})
    EXPECT_TRUE(IsValidUtf8(text)) << text;
  for (const char* text : {"\xff", "a\xc3", "\xed\xa0\x80z", "\xc0\xaf"})
    EXPECT_FALSE(IsValidUtf8(text)) << text;
}

}  // namespace
}  // namespace heapprof
