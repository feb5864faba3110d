// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/left_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/diagnostics.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(LeftOutDumpsTest, NamesTheFirstDumpWithAReason) {
  LeftOutDumps left_out;
  left_out.Add("a.1.heap", "a.1.heap: an empty file");
  left_out.Add("a.2.heap", "an empty file");
  left_out.Add("a.3.heap", "a.3.heap: cannot open");
  Diagnostics diagnostics;
  left_out.Note(diagnostics);
  EXPECT_THAT(diagnostics.notes(),
              ElementsAre("left out: a.1.heap: an empty file (and 1 more dump)",
                          "left out: a.3.heap: cannot open"));
}

// A full disk cuts each dump in another line.
TEST(LeftOutDumpsTest, TakesReasonsThatDifferInNumbersForOne) {
  LeftOutDumps left_out;
  left_out.Add("a.1.heap", "a.1.heap:109: the dump is truncated");
  left_out.Add("a.2.heap", "a.2.heap:7: the dump is truncated");
  left_out.Add("a.3.heap", "a.3.heap:12: the dump is truncated");
  Diagnostics diagnostics;
  left_out.Note(diagnostics);
  EXPECT_THAT(diagnostics.notes(),
              ElementsAre("left out: a.1.heap:109: the dump is truncated "
                          "(and 2 more dumps)"));
}

}  // namespace
}  // namespace heapprof
