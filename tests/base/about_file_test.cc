// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/about_file.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(AboutFile, PutsThePathBeforeAMessageOnce) {
  EXPECT_EQ(AboutFile("a.heap", "an empty file"), "a.heap: an empty file");
  EXPECT_EQ(AboutFile("a.heap", "a.heap: an empty file"),
            "a.heap: an empty file");
  EXPECT_EQ(AboutFile("a.heap", "a.heap:7: cut off"), "a.heap:7: cut off");
}

TEST(AboutFile, IsNotMisledByAWordLikeThePath) {
  EXPECT_EQ(AboutFile("no", "no debug information"),
            "no: no debug information");
}

TEST(CommonText, IsThatOfMessagesAboutOtherFiles) {
  EXPECT_EQ(CommonText("a1.heap", "a1.heap:7: cut off"),
            CommonText("a2.heap", "a2.heap:31: cut off"));
  EXPECT_NE(CommonText("a1.heap", "a1.heap:7: cut off"),
            CommonText("a1.heap", "a1.heap:7: not a number"));
}

}  // namespace
}  // namespace heapprof
