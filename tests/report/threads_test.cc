// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/text_columns.h"

namespace heapprof {
namespace {

TEST(WriteThreadsTest, LaysOutATable) {
  const std::vector<ThreadRow> rows = {{.uid = 3,
                                        .name = "wrk\n1",
                                        .sum = {.now = {.value = 2048}},
                                        .interval = Interval{1024.9, 4095.1},
                                        .samples = SampleNumbers{17, 0},
                                        .top_function = "ns::f"},
                                       {.uid = 12,
                                        .name = "",
                                        .sum = {.now = {.value = 5}},
                                        .interval = {},
                                        .samples = {},
                                        .top_function = ""}};
  EXPECT_EQ(WriteThreads(rows, {}),
            "   uid   estimate       from         to  samples name  "
            "most by\n"
            "     3    2.0 KiB    1.0 KiB    4.0 KiB       17 wrk?1 ns::f\n"
            "    12        5 B          -          -        -\n");
  EXPECT_EQ(WriteThreads(rows, {.unit = Unit::kBytes, .top = 1}),
            "   uid   estimate       from         to  samples name  "
            "most by\n"
            "     3     2048 B     1024 B     4096 B       17 wrk?1 ns::f\n");
  EXPECT_EQ(WriteThreads({}, {}), "");
}

TEST(WriteThreadsTest, BoundsOfAChangeDoNotLookLikeTheGrowth) {
  const std::vector<ThreadRow> rows = {
      {.uid = 3,
       .name = "a",
       .sum = {.now = {.value = 4096}, .base = {.value = 1024}},
       .interval = Interval{1024, 5120},
       .samples = SampleNumbers{17, 3},
       .top_function = "f"}};
  EXPECT_EQ(WriteThreads(rows, {.is_comparison = true}),
            "   uid     change   at least    at most  samples name most by\n"
            "     3    3.0 KiB    1.0 KiB    5.0 KiB       20 a    f\n");
}

TEST(WriteThreadsTest, FitsIntoTheLinesOfATerminal) {
  const std::vector<ThreadRow> rows = {
      {.uid = 3,
       .name = "a-thread-name-1",
       .sum = {.now = {.value = 1023 << 10}},
       .interval = Interval{1022 << 10, 1024 << 10},
       .samples = SampleNumbers{17, 0},
       .top_function = "ns::Class::FunctionWithALongName"}};
  const std::string text = WriteThreads(rows, {.width = 80});
  EXPECT_THAT(text, testing::HasSubstr("a-thread-name-1 Funct…"));
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    EXPECT_LE(Columns(text.substr(at, text.find('\n', at) - at)), 80u) << text;
}

TEST(WriteThreadsTest, LeavesOutColumnsOnANarrowTerminal) {
  const std::vector<ThreadRow> rows = {{.uid = 3,
                                        .name = "worker",
                                        .sum = {.now = {.value = 2048}},
                                        .interval = Interval{1024, 4096},
                                        .samples = SampleNumbers{17, 0},
                                        .top_function = "ns::Cache::Insert"}};
  EXPECT_EQ(
      WriteThreads(rows, {.width = 64}),
      "   uid   estimate       from         to name   most by\n"
      "     3    2.0 KiB    1.0 KiB    4.0 KiB worker ns::Cache::Insert\n");
  EXPECT_EQ(WriteThreads(rows, {.width = 40}),
            "   uid   estimate name   most by\n"
            "     3    2.0 KiB worker Cach…::Insert\n");
  EXPECT_EQ(WriteThreads(rows, {.width = 39}),
            "   estimate name   most by\n"
            "    2.0 KiB worker ns::Cache::Insert\n");
}

TEST(WriteThreadsTest, CountsColumnsNotBytes) {
  std::vector<ThreadRow> rows(2);
  rows[0].name = "größe";
  rows[0].top_function = "f";
  rows[1].name = "日";
  rows[1].top_function = "g";
  const std::string text = WriteThreads(rows, {});
  EXPECT_THAT(text, testing::HasSubstr(" samples name  most by\n"));
  EXPECT_THAT(text, testing::HasSubstr(" größe f\n"));
  EXPECT_THAT(text, testing::HasSubstr(" 日    g\n"));
}

TEST(WriteThreadsTest, SaysThatEverythingWasSampled) {
  const std::vector<ThreadRow> rows = {{.uid = 3,
                                        .name = "a",
                                        .sum = {.now = {.value = 5}},
                                        .interval = {},
                                        .samples = {},
                                        .top_function = ""}};
  EXPECT_THAT(WriteThreads(rows, {.is_exact = true}),
              testing::HasSubstr("5 B      exact      exact    exact a"));
  EXPECT_EQ(WriteThreads(rows, {.is_exact = true, .width = 80}),
            "   uid      exact name most by\n"
            "     3        5 B a\n");
}

}  // namespace
}  // namespace heapprof
