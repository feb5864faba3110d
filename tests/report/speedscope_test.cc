// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/speedscope.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/written_text.h"

namespace heapprof {
namespace {

std::string Text(const Profile& profile, const WeightedStacks& stacks,
                 const SpeedscopeOptions& options) {
  return WrittenText(
      [&](ByteSink& out) { WriteSpeedscope(profile, stacks, options, out); });
}

using ParsedJson = nlohmann::json;
using ::testing::ElementsAre;

ParsedJson Written(const WeightedStacks& stacks, const Profile& profile = {},
                   Metric metric = Metric::kInuseSpace) {
  return ParsedJson::parse(Text(profile, stacks, {.metric = metric}));
}

TEST(WriteSpeedscopeTest, WritesFramesThenStacksAndWeights) {
  const WeightedStacks stacks = {
      .frames = {{.name = "main", .file = "server.cc", .line = 12},
                 {.name = "ns::f(int)"}},
      .frame_ids = {0, 0, 1},
      .stacks = {{.first = 0, .count = 1}, {.first = 1, .count = 2}},
      .series = {{.stacks = {{.stack = 0, .weight = 4096},
                             {.stack = 1, .weight = 9007199254740993}},
                  .total = 9007199254745089},
                 {.metric = Metric::kInuseObjects}}};
  EXPECT_EQ(
      Text(Profile(), stacks, {.exporter = "heapprof 1.0", .name = "a.heap"}),
      R"json({
"$schema": "https://www.speedscope.app/file-format-schema.json",
"exporter": "heapprof 1.0",
"name": "a.heap",
"activeProfileIndex": 0,
"shared": {"frames": [
{"name": "main", "file": "server.cc", "line": 12},
{"name": "ns::f(int)"}]},
"profiles": [
{"type": "sampled", "name": "inuse_space", "unit": "bytes",
"startValue": 0, "endValue": 9007199254745089,
"samples": [
[0],
[0,1]],
"weights": [
4096,
9007199254740993]},
{"type": "sampled", "name": "inuse_objects", "unit": "none",
"startValue": 0, "endValue": 0,
"samples": [],
"weights": []}]
}
)json");
}

TEST(WriteSpeedscopeTest, NamesMetricChangeAndThread) {
  Profile profile;
  profile.is_comparison = true;
  profile.threads.push_back({.uid = 3});
  profile.threads.push_back(
      {.uid = 4, .name = profile.strings.Intern("\"work\"")});
  const WeightedStacks stacks = {
      .series = {{.metric = Metric::kAllocSpace},
                 {.metric = Metric::kAllocSpace, .sign = WeightSign::kNegative},
                 {.thread = ThreadId{1}},
                 {.thread = ThreadId{2}, .sign = WeightSign::kNegative}}};
  const auto names = [&] {
    const ParsedJson written = Written(stacks, profile);
    std::vector<std::string> texts;
    for (const ParsedJson& series : written["profiles"])
      texts.push_back(series["name"]);
    return texts;
  };
  EXPECT_THAT(names(), ElementsAre("alloc_space, grew", "alloc_space, shrank",
                                   "inuse_space, grew, t3",
                                   "inuse_space, shrank, t4 \"work\""));
  profile.is_comparison = false;
  EXPECT_EQ(names()[2], "inuse_space, t3");
}

TEST(WriteSpeedscopeTest, ShowsTheChosenMetricFirst) {
  WeightedStacks stacks = {.frames = {{.name = "f"}},
                           .frame_ids = {0},
                           .stacks = {{.count = 1}},
                           .series = {{},
                                      {.metric = Metric::kInuseObjects},
                                      {.metric = Metric::kInuseObjects,
                                       .sign = WeightSign::kNegative}}};
  const auto first = [&stacks](Metric metric) {
    return Written(stacks, {}, metric)["activeProfileIndex"].get<int>();
  };
  EXPECT_EQ(first(Metric::kInuseSpace), 0);
  EXPECT_EQ(first(Metric::kInuseObjects), 1);
  EXPECT_EQ(first(Metric::kAllocSpace), 0);
  // If nothing grew, what shrank is shown.
  stacks.series[2].stacks = {{.stack = 0, .weight = 1}};
  EXPECT_EQ(first(Metric::kInuseObjects), 2);
}

TEST(WriteSpeedscopeTest, EscapesNames) {
  const std::string hostile =
      "</script>\"\\\n\x01\xe2\x80\xae\xff" + std::string(10'000, 'x');
  const WeightedStacks stacks = {
      .frames = {{.name = hostile, .file = hostile}}};
  const std::string text =
      Text(Profile(), stacks, {.exporter = "\"", .name = hostile});
  EXPECT_TRUE(std::ranges::all_of(
      text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  const ParsedJson written = ParsedJson::parse(text);
  const std::string expected =
      "</script>\"\\\n\x01\xe2\x80\xae\xef\xbf\xbd" + std::string(10'000, 'x');
  EXPECT_EQ(written["shared"]["frames"][0]["name"], expected);
  EXPECT_EQ(written["shared"]["frames"][0]["file"], expected);
  EXPECT_EQ(written["name"], expected);
  EXPECT_EQ(written["exporter"], "\"");
}

}  // namespace
}  // namespace heapprof
