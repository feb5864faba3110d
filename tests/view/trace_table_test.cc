// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/trace_table.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> TracesOf(std::string_view stacks) {
  const TraceTable table = MakeTraces(ProfileOf(stacks), Metric::kInuseSpace,
                                      {.names = NameForm::kAsTheyAre});
  std::vector<std::string> texts;
  for (const Trace& trace : table.traces) {
    std::vector<std::string> frames;
    for (const uint32_t frame : table.FramesOf(trace))
      frames.push_back(table.labels[frame]);
    texts.push_back(
        fmt::format("{} {}", fmt::join(frames, " < "), trace.value));
  }
  return texts;
}

TEST(MakeTracesTest, SortsBySizeThenByFrames) {
  EXPECT_THAT(
      TracesOf("main;f|g<int> 5\nmain;h -9\nmain;a 5\nmain;z 0\n"),
      ElementsAre("h < main -9", "a < main 5", "g<int> (inline) < f < main 5"));
}

TEST(MakeTracesTest, AddsEqualStacksUp) {
  EXPECT_THAT(TracesOf("app!main;f 5\nlib!main;f 7\nx 1\nx -1\n"),
              ElementsAre("f < main 12"));
}

TEST(MakeTracesTest, SaysWhichLabelsAreOwnCode) {
  const Profile profile = ProfileOf("main;f|g 5\nmain;h 7\n");
  std::vector<bool> own_lines;
  for (const Line& line : profile.lines) {
    const Function& function = profile.functions[line.function.index()];
    const std::string_view name = profile.String(function.name);
    own_lines.push_back(name == "main" || name == "g");
  }
  const TraceTable table =
      MakeTraces(profile, Metric::kInuseSpace, {.own_lines = &own_lines});
  EXPECT_THAT(table.labels, ElementsAre("f", "g (inline)", "h", "main"));
  EXPECT_THAT(table.is_own, ElementsAre(false, true, false, true));
}

// The whole values of a comparison add up to that of the total, as the table
// has it: 10 - 4.
TEST(MakeTracesTest, RoundsBothSides) {
  Profile profile = ProfileOf("f 5.5\ng 5.25\nf 2.25\ng 2.5\n");
  for (const size_t i : {2u, 3u}) profile.samples[i].side = Side::kBase;
  profile.is_comparison = true;
  const TraceTable table = MakeTraces(profile, Metric::kInuseSpace, {});
  ASSERT_EQ(table.traces.size(), 2u);
  EXPECT_EQ(table.traces[0].value, 3.25);
  EXPECT_EQ(table.traces[0].whole, 3);
  EXPECT_EQ(table.traces[1].whole, 3);
}

}  // namespace
}  // namespace heapprof
