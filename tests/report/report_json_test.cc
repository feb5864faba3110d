// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/report_json.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "heapprof/view/call_graph.h"
#include "support/comparison.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"
#include "support/written_text.h"

namespace heapprof::report_json_test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const ModuleTable kNoModules;

FlatTable TableOf(const Profile& profile, Granularity granularity) {
  return MakeFlatTable(
      profile, {.counts_samples = true,
                .labels = {.granularity = granularity, .with_code = true}});
}

ReportData DataOf(const Profile& profile,
                  Granularity granularity = Granularity::kFunctions) {
  return {.version = "1.2",
          .inputs = {{.path = "a.heap"}},
          .granularity = granularity,
          .totals = {{Metric::kInuseSpace,
                      TotalChange(profile, Metric::kInuseSpace)}},
          .shown = TotalChange(profile, Metric::kInuseSpace),
          .table = TableOf(profile, granularity),
          .modules = kNoModules};
}

std::string TextOf(const Profile& profile, const ReportData& report) {
  return WrittenText(
      [&](ByteSink& out) { WriteReportJson(profile, report, out); });
}

json Written(const Profile& profile, const ReportData& report) {
  return json::parse(TextOf(profile, report));
}

json Written(const Profile& profile,
             Granularity granularity = Granularity::kFunctions) {
  return Written(profile, DataOf(profile, granularity));
}

TEST(WriteReportJsonTest, BeginsWithTheSchemaAndHasALineForEachRow) {
  const Profile profile = ProfileOf("main;f 3\nmain;g 4\n");
  const std::string text = TextOf(profile, DataOf(profile));
  EXPECT_THAT(text, StartsWith("{\n\"schema\": \"heapprof.report\",\n"
                               "\"schema_version\": 2,\n\"tool\": "));
  EXPECT_THAT(text, HasSubstr("\"filters\": [],\n"));
  EXPECT_THAT(text, HasSubstr("\"rows\": [\n{\"name\":\"g\","));
  EXPECT_THAT(text, HasSubstr("},\n{\"name\":\"f\","));
  EXPECT_TRUE(text.ends_with("\"modules\": []\n}\n")) << text;
}

TEST(WriteReportJsonTest, HasTheBoundsOfSampledValues) {
  Profile profile = ProfileOf("main;f 4000.9\n");
  profile.sampling_period = 1000;
  profile.samples[0].values[Metric::kInuseSpace].variance = 4e6;
  const json root = Written(profile);
  const json& flat = root["rows"][0]["flat"];
  EXPECT_EQ(flat["value"], 4000);
  EXPECT_TRUE(flat["value"].is_number_integer());
  EXPECT_TRUE(flat["interval"]["lower"].is_number_integer());
  EXPECT_LT(flat["interval"]["lower"], 2000);
  EXPECT_GT(flat["interval"]["upper"], 8000);
  EXPECT_EQ(flat["interval"]["confidence"], 0.95);
  EXPECT_EQ(flat["samples"], 4);
  EXPECT_EQ(flat["effective_samples"], 4);
  EXPECT_EQ(root["rows"][1]["flat"],
            json::parse(R"({"value": 0, "interval": {"lower": 0, "upper": 3689,
                            "confidence": 0.95}, "samples": 0,
                            "effective_samples": 0})"));
  EXPECT_EQ(root["totals"]["inuse_space"]["value"], 4000);
  EXPECT_FALSE(root["is_exact"]);
}

TEST(WriteReportJsonTest, HasNoBoundsOfExactValues) {
  Profile profile = ProfileOf("main;f 4000\n");
  profile.sampling_period = 1;
  const json root = Written(profile);
  EXPECT_EQ(root["shown"],
            json::parse(R"({"value": 4000, "interval": null, "samples": null,
                            "effective_samples": null})"));
  EXPECT_TRUE(root["is_exact"]);
  EXPECT_TRUE(root["totals"]["inuse_space"]["is_exact"]);
}

TEST(WriteReportJsonTest, HasBothSidesOfADifference) {
  Profile profile = ProfileOf("main;f 100.1\n");
  profile.sampling_period = 10;
  profile.samples[0].values[Metric::kInuseSpace].variance = 400;
  AddBase(0, {50.9, 100}, profile);
  const json root = Written(profile);
  EXPECT_TRUE(root["is_difference"]);
  for (const json& value : {root["rows"][0]["flat"], root["shown"]}) {
    EXPECT_EQ(value["before"]["value"], 50);
    EXPECT_EQ(value["before"]["samples"], 5);
    EXPECT_EQ(value["before"]["effective_samples"], 25.9);
    EXPECT_EQ(value["after"]["value"], 100);
    EXPECT_EQ(value["after"]["samples"], 10);
    EXPECT_EQ(value["after"]["effective_samples"], 25.1);
    // The difference of the numbers above, though it is below 50.
    EXPECT_EQ(value["change"]["value"], 50);
    EXPECT_LT(value["change"]["interval"]["lower"], 20);
    EXPECT_GT(value["change"]["interval"]["upper"], 80);
    EXPECT_FALSE(value.contains("value"));
  }
  EXPECT_FALSE(root["shown"]["change"].contains("is_proven"));
}

TEST(WriteReportJsonTest, SaysWhichRowsHaveChanged) {
  const Profile profile = ComparedObjects("main;f", 90'000, 30'000);
  ReportData report = DataOf(profile);
  report.table.rows[0].is_flat_proven = true;
  const json row = Written(profile, report)["rows"][0];
  EXPECT_EQ(row["flat"]["change"]["is_proven"], true);
  EXPECT_EQ(row["cumulative"]["change"]["is_proven"], false);
}

// "function file line module" of each row.
std::vector<std::string> Code(const Profile& profile, Granularity granularity) {
  std::vector<std::string> code;
  const json root = Written(profile, granularity);
  for (const json& row : root["rows"])
    code.push_back(row["function"].dump() + ' ' + row["file"].dump() + ' ' +
                   row["line"].dump() + ' ' + row["module"].dump());
  return code;
}

TEST(WriteReportJsonTest, SaysWhereTheCodeOfARowIs) {
  Profile profile = ProfileOf("app!main@10%m.cc:7;lib!f<int>@20%f.h:8 5\n");
  for (Function& function : profile.functions) function.start_line = 3;
  EXPECT_THAT(
      Code(profile, Granularity::kFunctions),
      ElementsAre(R"("f<int>" "f.h" 3 "lib")", R"("main" "m.cc" 3 "app")"));
  EXPECT_THAT(
      Code(profile, Granularity::kLines),
      ElementsAre(R"("f<int>" "f.h" 8 "lib")", R"("main" "m.cc" 7 "app")"));
  EXPECT_THAT(
      Code(profile, Granularity::kFiles),
      ElementsAre(R"(null "f.h" null "lib")", R"(null "m.cc" null "app")"));
  EXPECT_THAT(
      Code(profile, Granularity::kModules),
      ElementsAre(R"(null null null "lib")", R"(null null null "app")"));
}

TEST(WriteReportJsonTest, IsSilentAboutCodeThatDiffersWithinARow) {
  const Profile profile =
      ProfileOf("app!f<int>%a.cc:7 5\nlib!f<char>%b.cc:8 5\n");
  EXPECT_THAT(Code(profile, Granularity::kFunctions),
              ElementsAre("null null null null"));
}

TEST(WriteReportJsonTest, WritesTheFirstRowsOfEachTable) {
  Profile profile = ProfileOf("main;f 3\nmain;g 4\n");
  AddToThread(0, 7, "a\xff", profile);
  AddToThread(1, 7, "a\xff", profile);
  ReportData report = DataOf(profile);
  report.threads =
      MakeThreadTable(profile, Metric::kInuseSpace, FrameLabels(profile, {}));
  json root = Written(profile, report);
  EXPECT_EQ(root["rows"].size(), 3u);
  ASSERT_EQ(root["threads"].size(), 1u);
  const json& thread = root["threads"][0];
  EXPECT_EQ(thread["uid"], 7);
  EXPECT_EQ(thread["name"], "a\uFFFD");
  EXPECT_EQ(thread["name_bytes"], "61ff");
  EXPECT_EQ(thread["held"]["value"], 7);
  EXPECT_EQ(thread["held"]["samples"], nullptr);
  EXPECT_EQ(thread["top_function"], "g");
  EXPECT_FALSE(thread.contains("rows"));

  report.top = 2;
  report.thread_tables.push_back(TableOf(profile, Granularity::kFunctions));
  root = Written(profile, report);
  EXPECT_EQ(root["row_count"], 3);
  EXPECT_EQ(root["rows"].size(), 2u);
  EXPECT_EQ(root["threads"][0]["rows"], root["rows"]);
}

TEST(WriteReportJsonTest, WritesCallersAndCallees) {
  const Profile profile = ProfileOf("main;f;g 3\nmain;f 4\n");
  ReportData report = DataOf(profile);
  EXPECT_FALSE(Written(profile, report).contains("tree"));
  report.requested = MakeCallersCalleesTable(
      MakeCallGraph(profile, {.limits = {0, 0, 0, 0}}), {});
  EXPECT_EQ(Written(profile, report)["tree"][0],
            json::parse(R"({"name": "f", "flat": 4, "cumulative": 7,
                            "callers": [{"name": "main", "value": 7}],
                            "callees": [{"name": "g", "value": 3}]})"));
}

TEST(WriteReportJsonTest, WritesATreeOfCallersInPreorder) {
  const Profile profile = ProfileOf("main;f;g 3\nx;g 1\ng 4\n");
  ReportData report = DataOf(profile);
  report.requested = DirectedCallTree{
      .direction = CallDirection::kCallers,
      .tree = MakeCallTree(profile, {.matches = [](std::string_view name) {
                             return name == "g";
                           }})};
  EXPECT_EQ(Written(profile, report)["callers"], json::parse(R"([
    {"depth": 0, "kind": "function", "name": "g", "value": 8},
    {"depth": 1, "kind": "function", "name": "f", "value": 3},
    {"depth": 2, "kind": "function", "name": "main", "value": 3},
    {"depth": 1, "kind": "function", "name": "x", "value": 1},
    {"depth": 1, "kind": "end", "name": null, "value": 4}])"));
}

TEST(WriteReportJsonTest, WritesTracesWithEachNameOnce) {
  const Profile profile = ProfileOf("main;f 3\nmain 4\n");
  ReportData report = DataOf(profile);
  report.requested = MakeTraces(profile, Metric::kInuseSpace, {});
  const json written = Written(profile, report);
  EXPECT_EQ(written["frames"],
            json::parse(R"([{"name": "f"}, {"name": "main"}])"));
  EXPECT_EQ(written["traces"], json::parse(R"([{"value": 4, "frames": [1]},
                            {"value": 3, "frames": [0, 1]}])"));
}

TEST(WriteReportJsonTest, WritesSharesOfTheStoryAsFractions) {
  const Profile profile = ProfileOf("main;f 3\n");
  ReportData report = DataOf(profile);
  report.story = {{.frames = {"main", "f"},
                   .file = "/src/f.cc",
                   .line = 7,
                   .percent = 25,
                   .percent_interval = Interval{20, 30}},
                  {.frames = {"f"}, .percent = 12.5, .part_of = 0}};
  const json story = Written(profile, report)["story"];
  EXPECT_EQ(story[0]["share"], 0.25);
  EXPECT_EQ(story[0]["share_interval"],
            json::parse(R"({"lower": 0.2, "upper": 0.3, "confidence": 0.95})"));
  EXPECT_EQ(story[0]["line"], 7);
  EXPECT_TRUE(story[0]["part_of"].is_null());
  EXPECT_EQ(story[1]["share"], 0.125);
  EXPECT_TRUE(story[1]["share_interval"].is_null());
  EXPECT_EQ(story[1]["part_of"], 0);
}

TEST(WriteReportJsonTest, DescribesInputsAndFilters) {
  const Profile profile = ProfileOf("main;f 3\n");
  ReportData report = DataOf(profile);
  report.inputs = {{.path = "a.heap",
                    .side = Side::kBase,
                    .format = "jemalloc heap dump",
                    .produced_by = "jemalloc",
                    .sampling_period = 512,
                    .time_seconds = 17,
                    .program = "/srv/app",
                    .build_id = "aa"},
                   {.path = "b.heap"}};
  const FilterEffect effect = {.filter = "--focus=f",
                               .removed_stacks = 2,
                               .removed_value = 50.5,
                               .removed_percent = 25,
                               .cut_stacks = 3,
                               .not_own_stacks = 4,
                               .left_stacks = 5};
  report.filters = {&effect, 1};
  const json root = Written(profile, report);
  EXPECT_EQ(root["inputs"], json::parse(R"([
    {"path": "a.heap", "side": "base", "format": "jemalloc heap dump",
     "written_by": "jemalloc", "sampling_period": 512, "time_seconds": 17,
     "program": "/srv/app", "build_id": "aa"},
    {"path": "b.heap", "side": "new", "format": "", "written_by": null,
     "sampling_period": null, "time_seconds": null, "program": null,
     "build_id": null}])"));
  EXPECT_EQ(root["filters"], json::parse(R"([
    {"filter": "--focus=f", "removed_stacks": 2, "removed_value": 50,
     "removed_share": 0.25, "cut_stacks": 3, "not_own_stacks": 4,
     "left_stacks": 5}])"));
}

}  // namespace
}  // namespace heapprof::report_json_test
