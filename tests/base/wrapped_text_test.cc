// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/wrapped_text.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::ElementsAre;

TEST(WrappedTextTest, BreaksBetweenWords) {
  EXPECT_THAT(WrappedText("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(WrappedText("one two three", 13), ElementsAre("one two three"));
  EXPECT_THAT(WrappedText("", 7), ElementsAre(""));
}

TEST(WrappedTextTest, KeepsAmountsAndLongWords) {
  EXPECT_THAT(WrappedText("grew by 2.5 ± 0.1 MiB here", 12),
              ElementsAre("grew by", "2.5 ± 0.1 MiB", "here"));
  EXPECT_THAT(WrappedText("in /srv/long/path x", 6),
              ElementsAre("in", "/srv/long/path", "x"));
}

TEST(WrappedCommandTest, EndsBrokenLinesWithABackslash) {
  const std::vector<std::string> parts = {"heapprof", "--base", "a.heap",
                                          "b.heap"};
  EXPECT_THAT(WrappedCommand(parts, 29),
              ElementsAre("heapprof --base a.heap b.heap"));
  EXPECT_THAT(WrappedCommand(parts, 28),
              ElementsAre("heapprof --base a.heap \\", "  b.heap"));
  EXPECT_THAT(WrappedCommand(parts, 23),
              ElementsAre("heapprof --base \\", "  a.heap b.heap"));
  EXPECT_THAT(
      WrappedCommand(parts, 1),
      ElementsAre("heapprof \\", "  --base \\", "  a.heap \\", "  b.heap"));
}

}  // namespace
}  // namespace heapprof
