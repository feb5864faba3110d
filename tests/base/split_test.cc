// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitTest, KeepsEmptyParts) {
  EXPECT_THAT(Split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(Split("a", ','), ElementsAre("a"));
  EXPECT_THAT(Split("", ','), IsEmpty());
}

TEST(SplitTest, SplitNonEmptyDropsThem) {
  EXPECT_THAT(SplitNonEmpty(",a,,b,", ','), ElementsAre("a", "b"));
  EXPECT_THAT(SplitNonEmpty(",", ','), IsEmpty());
}

TEST(FindChoiceTest, FindsWholeWordsOnly) {
  EXPECT_EQ(FindChoice("auto|always|never", "always"), 1u);
  EXPECT_EQ(FindChoice("auto|always|never", "al"), std::nullopt);
  EXPECT_EQ(FindChoice("auto|always|never", "auto|always"), std::nullopt);
  EXPECT_EQ(FindChoice("auto|always|never", ""), std::nullopt);
}

TEST(ChoiceAtTest, IsTheInverse) {
  EXPECT_EQ(ChoiceAt("auto|always|never", 0), "auto");
  EXPECT_EQ(ChoiceAt("auto|always|never", 1), "always");
  EXPECT_EQ(ChoiceAt("auto|always|never", 2), "never");
}

TEST(ChoicesTextTest, EndsWithOr) {
  EXPECT_EQ(ChoicesText("auto"), "auto");
  EXPECT_EQ(ChoicesText("auto|never"), "auto or never");
  EXPECT_EQ(ChoicesText("auto|always|never"), "auto, always or never");
}

}  // namespace
}  // namespace heapprof
