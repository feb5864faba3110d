// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/compared_dumps.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(DumpsBySideTest, DescribesEachInput) {
  const std::vector<InputFacts> inputs = {
      {.path = "new.heap", .side = Side::kNew, .program = "/a/app"},
      {.path = "old.heap",
       .side = Side::kBase,
       .time_seconds = 5,
       .build_id = "2f"}};
  const auto dumps = DumpsBySide(inputs);
  ASSERT_EQ(dumps.now.size(), 1U);
  ASSERT_EQ(dumps.base.size(), 1U);
  EXPECT_EQ(dumps.now[0].path, "new.heap");
  EXPECT_EQ(dumps.now[0].program, "/a/app");
  EXPECT_EQ(dumps.base[0].build_id, "2f");
  EXPECT_EQ(dumps.base[0].time_seconds, 5);
}

std::string TitleOf(std::vector<InputFacts> inputs, bool with_path = false) {
  return DumpsTitle(inputs, Side::kBase, with_path);
}

TEST(DumpsTitleTest, CountsTheFilesOfASide) {
  const InputFacts now = {.path = "/n/a.heap"};
  const auto base = [](const char* path) {
    return InputFacts{.path = path, .side = Side::kBase};
  };
  EXPECT_EQ(TitleOf({now}), "");
  EXPECT_EQ(TitleOf({now, base("/b/a.heap")}), "a.heap");
  EXPECT_EQ(TitleOf({now, base("/b/a.heap")}, true), "/b/a.heap");
  EXPECT_EQ(TitleOf({now, base("/b/a.heap"), base("c"), base("d")}),
            "mean of a.heap and 2 more");
}

TEST(DumpsTitleTest, CountsABaselineOfSeveralDumpsAsOneFile) {
  const InputFacts run = {.path = "b.pb.gz", .side = Side::kBase};
  EXPECT_EQ(TitleOf({run, run, run}), "b.pb.gz");
}

TEST(DumpsTitleTest, SaysMeanOnlyInAComparison) {
  EXPECT_EQ(DumpsTitle(std::vector<InputFacts>{{.path = "a"}, {.path = "b"}},
                       Side::kNew, false),
            "a and 1 more");
}

}  // namespace
}  // namespace heapprof
