// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/ndjson.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/written_text.h"

namespace heapprof::ndjson_test {
namespace {

using ParsedJson = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

StackMeasures Measures() {
  return {
      .stacks = {.labels = {"main", "ns::f(int)"},
                 .frames = {0, 0, 1},
                 .rows = {{.first = 0, .count = 1}, {.first = 1, .count = 2}}},
      .places = {"a.cc:1", ""},
      .rows = {{.stack = 1,
                .value = 4096,
                .interval = Interval{103.7, 22816.2},
                .samples = 3},
               {.metric = Metric::kInuseObjects,
                .stack = 0,
                .value = 9007199254740993}}};
}

std::string Written(const DumpColumns& columns,
                    const StackMeasures& measures = Measures(),
                    const Profile& profile = {}) {
  return WrittenText(
      [&](ByteSink& out) { WriteNdjson(profile, measures, columns, out); });
}

ParsedJson FirstRow(const DumpColumns& columns,
                    const StackMeasures& measures = Measures(),
                    const Profile& profile = {}) {
  const std::string text = Written(columns, measures, profile);
  return ParsedJson::parse(text.substr(0, text.find('\n')));
}

TEST(WriteNdjsonTest, WritesALineForEachRow) {
  EXPECT_EQ(
      Written({.dump = "d/server.71.3.i3.heap",
               .time_seconds = 1764000000,
               .pid = 71,
               .sequence = 3,
               .program = "/srv/server",
               .build_id = "289ee39f",
               .labels = {{"version", "1.2"}, {"host", "web-1"}}}),
      R"row({"v":1,"dump":"d/server.71.3.i3.heap","time":1764000000,)row"
      R"row("host":"web-1","pid":71,"sequence":3,"program":"/srv/server",)row"
      R"row("build_id":"289ee39f","thread":"","thread_uid":null,)row"
      R"row("metric":"inuse_space","value":4096,"lower":103,"upper":22817,)row"
      R"row("samples":3,"frames":["main","ns::f(int)"],)row"
      R"row("places":["a.cc:1",""],"version":"1.2"})row"
      "\n"
      R"row({"v":1,"dump":"d/server.71.3.i3.heap","time":1764000000,)row"
      R"row("host":"web-1","pid":71,"sequence":3,"program":"/srv/server",)row"
      R"row("build_id":"289ee39f","thread":"","thread_uid":null,)row"
      R"row("metric":"inuse_objects","value":9007199254740993,"lower":null,)row"
      R"row("upper":null,"samples":null,"frames":["main"],)row"
      R"row("places":["a.cc:1"],"version":"1.2"})row"
      "\n");
}

TEST(WriteNdjsonTest, HasTheFrozenColumnsEvenIfNothingIsKnown) {
  const ParsedJson row = FirstRow({.dump = "-"});
  std::vector<std::string> keys;
  for (const auto& [key, value] : row.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAreArray(kRowColumns));
  for (const char* text : {"host", "program", "build_id", "thread"})
    EXPECT_EQ(row[text], "") << text;
  for (const char* number : {"time", "pid", "sequence", "thread_uid"})
    EXPECT_TRUE(row[number].is_null()) << number;
}

TEST(WriteNdjsonTest, IsAsciiWhateverTheNamesAre) {
  StackMeasures measures = Measures();
  measures.stacks.labels = {"\"\\\n##[x", "caf\xc3\xa9\xff"};
  measures.places = {"\xff", ""};
  const std::string text = Written(
      {.dump = "\xff\n", .labels = {{"tag", "\"\xe2\x82\xac"}}}, measures);
  EXPECT_TRUE(std::ranges::all_of(
      text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
  const ParsedJson row = ParsedJson::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(row["dump"], "\xef\xbf\xbd\n");
  EXPECT_THAT(row["frames"],
              ElementsAre("\"\\\n##[x", "caf\xc3\xa9\xef\xbf\xbd"));
  EXPECT_EQ(row["tag"], "\"\xe2\x82\xac");
}

TEST(WriteNdjsonTest, NamesTheThread) {
  Profile profile;
  profile.threads.push_back({7, profile.strings.Intern("worker")});
  profile.threads.push_back({8, {}});
  StackMeasures measures = Measures();
  measures.rows[0].thread = {1};
  ParsedJson row = FirstRow({}, measures, profile);
  EXPECT_EQ(row["thread"], "worker");
  EXPECT_EQ(row["thread_uid"], 7);
  measures.rows[0].thread = {2};
  row = FirstRow({}, measures, profile);
  EXPECT_EQ(row["thread"], "8");
  EXPECT_EQ(row["thread_uid"], 8);
  row = FirstRow({.thread = "worker"});
  EXPECT_EQ(row["thread"], "worker");
  EXPECT_TRUE(row["thread_uid"].is_null());
}

TEST(WriteNdjsonTest, WritesNothingForADumpWithoutRows) {
  EXPECT_THAT(Written({.dump = "a"}, {}), IsEmpty());
}

}  // namespace
}  // namespace heapprof::ndjson_test
