// SPDX-License-Identifier: Apache-2.0
#include "report/fit_name.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(FitNameTest, CutsTheMiddleOfLongNames) {
  const std::string name = "größen::abcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ(FitName(name, 6, 40), name);
  EXPECT_EQ(FitName(name, 7, 40), "größen::abc…fghijklmnopqrstuvwxyz");
  EXPECT_EQ(FitName(name, 7, 0), name);
}

TEST(FitNameTest, KeepsPartOfANameInTheNarrowestTerminal) {
  EXPECT_EQ(FitName("abcdefghijklmnopqrstuvwxyz", 60, 40),
            "abcdefgh…lmnopqrstuvwxyz");
}

TEST(FitNameTest, CountsPrintedCharacters) {
  EXPECT_EQ(FitName("a\n\x1b[2J", 0, 80), "a??[2J");
}

}  // namespace
}  // namespace heapprof
