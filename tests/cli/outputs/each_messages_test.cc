// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/each_messages.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(EachMessagesTest, SayOnceWhatDiffersOnlyInNumbers) {
  for (const bool all : {false, true}) {
    EachMessages messages(all);
    for (const char* dump : {"a.heap", "b.heap", "c.heap"}) {
      Diagnostics found;
      found.Note(std::string(dump) == "b.heap" ? "12% of bytes have no names"
                                               : "7% of bytes have no names");
      messages.Add(dump, found);
    }
    const std::vector<std::string> lines = std::move(messages).Take();
    if (all)
      EXPECT_THAT(lines, ElementsAre("a.heap: 7% of bytes have no names",
                                     "b.heap: 12% of bytes have no names",
                                     "c.heap: 7% of bytes have no names"));
    else
      EXPECT_THAT(lines, ElementsAre("a.heap: 7% of bytes have no names (and 2 "
                                     "more dumps)"));
  }
}

TEST(EachMessagesTest, CountProcessesToo) {
  EachMessages messages(/*all=*/false, "more process", "more processes");
  for (const char* process : {"server.1", "server.2", "server.3"}) {
    Diagnostics found;
    found.Note("7% of bytes have no names");
    messages.Add(process, found);
  }
  EXPECT_THAT(std::move(messages).Take(),
              ElementsAre("server.1: 7% of bytes have no names (and 2 more "
                          "processes)"));
}

TEST(EachMessagesTest, SayOfEachDumpThatItIsDamaged) {
  EachMessages messages(/*all=*/false);
  for (const std::string dump : {"a.heap", "b.heap"}) {
    Diagnostics found;
    found.Warn(WarningKind::kUnfitFile, "x: not used");
    found.Warn(WarningKind::kTruncated, dump + ":7: truncated");
    found.Warn(WarningKind::kNoMemoryMap, dump + ": no memory map");
    messages.Add(dump, found);
  }
  EXPECT_THAT(
      std::move(messages).Take(),
      ElementsAre("warning: a.heap:7: truncated; 1 more warning, see --verbose",
                  "warning: a.heap: x: not used (and 1 more dump)",
                  "warning: b.heap:7: truncated; 1 more warning, see "
                  "--verbose"));
}

}  // namespace
}  // namespace heapprof
