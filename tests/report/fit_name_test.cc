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

TEST(FitNameAndPlaceTest, DropsOuterFoldersBeforeItCutsNames) {
  const std::string both = "ns::Allocate (inline) /src/base/mem/arena.cc:12";
  EXPECT_EQ(FitNameAndPlace(both, 0, 47), both);
  EXPECT_EQ(FitNameAndPlace(both, 0, 0), both);
  EXPECT_EQ(FitNameAndPlace(both, 0, 46),
            "ns::Allocate (inline) …/base/mem/arena.cc:12");
  EXPECT_EQ(FitNameAndPlace(both, 10, 46),
            "ns::Allocate (inline) …/arena.cc:12");
  const std::string longer = "a_name_of_many_characters src/arena.cc:12";
  EXPECT_EQ(FitNameAndPlace(longer, 49, 80), "a_name…characters …/arena.cc:12");
  EXPECT_EQ(FitNameAndPlace(longer, 70, 80), "a_na…racters …/arena.cc:12");
  EXPECT_EQ(FitNameAndPlace("name", 0, 80), "name");
}

}  // namespace
}  // namespace heapprof
