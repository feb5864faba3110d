// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/next_commands.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kCommands = {
    "heapprof '--callers=Load Index' /srv/db/server.heap",
    "heapprof -o mem.html server.heap"};

TEST(NextLinesTest, HaveOneHeading) {
  EXPECT_THAT(
      NextLines(kCommands, 0),
      ElementsAre("Next:  heapprof '--callers=Load Index' /srv/db/server.heap",
                  "       heapprof -o mem.html server.heap"));
  EXPECT_EQ(RowsOfNextLines(kCommands, 0), 2u);
  EXPECT_EQ(RowsOfNextLines(kCommands, 58), 2u);
}

TEST(NextLinesTest, ContinueOnANarrowTerminal) {
  EXPECT_THAT(NextLines(kCommands, 57),
              ElementsAre("Next:  heapprof '--callers=Load Index' \\",
                          "         /srv/db/server.heap",
                          "       heapprof -o mem.html server.heap"));
  EXPECT_EQ(RowsOfNextLines(kCommands, 57), 3u);
}

TEST(NextLinesTest, KeepWordsThatAreWiderThanTheTerminal) {
  EXPECT_THAT(
      NextLines({{"heapprof /srv/db/server.heap"}}, 20),
      ElementsAre("Next:  heapprof \\", "         /srv/db/server.heap"));
  EXPECT_EQ(RowsOfNextLines({{"heapprof /srv/db/server.heap"}}, 20), 3u);
}

}  // namespace
}  // namespace heapprof
