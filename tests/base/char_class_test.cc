// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/char_class.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(CharClassTest, KnowsDigitsLettersAndWords) {
  for (const char c : {'0', '9'}) EXPECT_TRUE(IsDigit(c) && IsWord(c)) << c;
  for (const char c : {'a', 'z', 'A', 'Z'})
    EXPECT_TRUE(IsLetter(c) && IsWord(c) && !IsDigit(c)) << c;
  for (const char c : {'/', ':', '@', '[', '`', '{', '\xe9', '\0'})
    EXPECT_FALSE(IsDigit(c) || IsLetter(c) || IsWord(c)) << c;
  EXPECT_TRUE(IsWord('_') && !IsLetter('_'));
}

TEST(CharClassTest, EmptyTextHasNoDigits) {
  EXPECT_TRUE(IsAllDigits("0123456789"));
  EXPECT_FALSE(IsAllDigits("12a"));
  EXPECT_FALSE(IsAllDigits(""));
  EXPECT_FALSE(IsAllHex(""));
}

TEST(CharClassTest, HexIsInLowerCase) {
  EXPECT_TRUE(IsAllHex("0123456789abcdef"));
  EXPECT_FALSE(IsAllHex("289EE39F"));
  EXPECT_FALSE(IsAllHex("fg"));
}

}  // namespace
}  // namespace heapprof
