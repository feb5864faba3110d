// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/trend.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/trend_tables.h"

namespace heapprof {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TrendReport ReportOf(TrendTable table) {
  TrendReport report;
  report.series.push_back(
      {.name = "app.7", .program = "/srv/app", .table = std::move(table)});
  return report;
}

TEST(WriteTrendTest, CallsNothingSteadyThatHasFewDumps) {
  const TrendReport few =
      ReportOf(TrendTableOf({"app!a 5", "app!a 5", "app!a 5"}));
  const std::string text = WriteTrendText(few, {});
  EXPECT_THAT(text, HasSubstr("few dumps  total\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("steady")));
  EXPECT_THAT(WriteTrendHtml(few, "1.0"), HasSubstr(">few dumps</td>"));
  EXPECT_THAT(WriteTrendJson(few), HasSubstr("\"label\":\"few dumps\""));
  EXPECT_THAT(WriteTrendCsv(few), HasSubstr("\napp.7,total,few dumps,"));
}

TEST(WriteTrendTest, HasNoRateOfASingleDump) {
  const TrendReport one = ReportOf(TrendTableOf({"app!a 5"}));
  EXPECT_THAT(WriteTrendText(one, {}), testing::Not(HasSubstr("0 B ")));
  EXPECT_THAT(WriteTrendHtml(one, "1.0"),
              HasSubstr("<td class=\"number\"></td>"));
  EXPECT_THAT(WriteTrendCsv(one), HasSubstr(",few dumps,dump,,,,,,,5242880,"));
  const auto json = nlohmann::json::parse(WriteTrendJson(one));
  EXPECT_TRUE(json["series"][0]["total"]["rate"].is_null());
  EXPECT_TRUE(json["series"][0]["total"]["last_half"].is_null());
}

TEST(WriteTrendTextTest, DrawsDumpsAtEvenDistances) {
  EXPECT_THAT(WriteTrendText(ReportOf(LeakingTable(15)), {}),
              testing::HasSubstr("▄▄▅▆▆▇██"));
}

TEST(WriteTrendTextTest, ShowsATable) {
  EXPECT_EQ(
      WriteTrendText(ReportOf(LeakingTable()), {}),
      "app.7: grows by 1.0 MiB/h in main;leak; at this rate, the process holds "
      "128 MiB in 4 days\n"
      "8 dumps in 7 hours, 1970-01-01 01:00:00 to 1970-01-01 08:00:00 UTC\n"
      "\n"
      "per hour  per dump     first      last      peak  course    trend    "
      "stack\n"
      "+1.0 MiB  +1.0 MiB  30.0 MiB  37.0 MiB  37.0 MiB  ▇▇▇█████  growing  "
      "total\n"
      "+1.0 MiB  +1.0 MiB  10.0 MiB  17.0 MiB  17.0 MiB  ▅▆▆▇▇███  growing  "
      "main;leak\n"
      "     0 B       0 B  20.0 MiB  20.0 MiB  20.0 MiB  ████████  steady   "
      "main;stays\n");
}

TEST(WriteTrendTest, TellsWhoGrows) {
  TrendReport report = ReportOf(LeakingTable());
  StoryChain chain = {
      .frames = {"Run", "Open<char>"}, .file = "/src/a.cc", .line = 7};
  chain.cell.change.now.value = 17 << 20;
  chain.cell.change.base.value = 10 << 20;
  report.series[0].story = {chain};
  EXPECT_THAT(WriteTrendText(report, {}),
              HasSubstr("in 4 days\n  +7.0 MiB  Run → Open<char>, a.cc:7\n"
                        "8 dumps in 7 hours"));
  EXPECT_THAT(
      WriteTrendHtml(report, "1.0"),
      HasSubstr("<li><b>+7.0 MiB</b> Run → Open&#60;char&#62;, a.cc:7</li>"));
  const auto json = nlohmann::json::parse(WriteTrendJson(report));
  EXPECT_EQ(json["series"][0]["story"],
            nlohmann::json::parse(R"([{"frames": [{"name": "Run"},
                {"name": "Open<char>"}], "file": "/src/a.cc", "line": 7,
                "change": {"value": 7340032, "interval": null},
                "part_of": null}])"));
}

TEST(WriteTrendTextTest, ShowsOneRateWhereThereIsLittleRoom) {
  EXPECT_THAT(
      WriteTrendText(ReportOf(LeakingTable()), {.width = 110}),
      testing::AllOf(HasSubstr("per hour"), Not(HasSubstr("per dump"))));
}

TEST(WriteTrendTextTest, GivesNamesTheirOwnLinesOnANarrowTerminal) {
  const std::string text =
      WriteTrendText(ReportOf(LeakingTable()), {.width = 80, .rows = 1});
  EXPECT_THAT(text, HasSubstr("growing\n        main;leak\n"));
  EXPECT_THAT(text, HasSubstr("and 1 more; --top=0 shows all\n"));
}

TEST(WriteTrendTextTest, AlwaysShowsWhatNoGroupHas) {
  TrendTable table = LeakingTable();
  table.rows[1].name = "[other]";
  EXPECT_THAT(WriteTrendText(ReportOf(table), {.rows = 1}),
              HasSubstr("steady   [other]\n"));
}

TEST(WriteTrendTextTest, SaysHowManyRowsHoldNextToNothing) {
  TrendTable table = LeakingTable();
  table.small = 18;
  EXPECT_THAT(WriteTrendText(ReportOf(table), {.rows = 1}),
              HasSubstr("and 1 more; --top=0 shows all but 18 below 0.1% of "
                        "the highest total\n"));
  EXPECT_THAT(WriteTrendText(ReportOf(table), {.rows = 0}),
              HasSubstr("\nand 18 more below 0.1% of the highest total\n"));
  EXPECT_THAT(WriteTrendHtml(ReportOf(table), ""),
              HasSubstr("; 2 of 20 rows</caption>"));
}

TEST(WriteTrendTextTest, LeavesOutColumnsOnANarrowTerminal) {
  const auto headings = [](size_t width) {
    const std::string text =
        WriteTrendText(ReportOf(LeakingTable()), {.width = width, .rows = 1});
    const size_t start = text.find("per hour");
    return text.substr(start, text.find('\n', start) - start);
  };
  EXPECT_EQ(headings(50), "per hour     first      last      peak  trend");
  EXPECT_EQ(headings(40), "per hour     first      last  trend");
}

TEST(WriteTrendTextTest, BeginsWithTheVerdict) {
  TrendReport report = ReportOf(LeakingTable());
  report.limit = ParseTrendLimit("growth>64KiB/h");
  report.series[0].judgement =
      JudgeTrend(report.series[0].table, *report.limit);
  EXPECT_EQ(report.WorstVerdict(), Verdict::kRegression);
  EXPECT_THAT(
      WriteTrendText(report, {}),
      HasSubstr("\nregression: growth>64KiB/h: main;leak by +1.0 MiB/h\n"));
}

TEST(WriteTrendTextTest, SaysThatOnlyFastGrowthCouldHaveBeenProven) {
  const auto verdict = [](const std::vector<std::string>& dumps) {
    TrendReport report = ReportOf(TrendTableOf(dumps));
    report.limit = ParseTrendLimit("growth>1MiB/h");
    report.series[0].judgement =
        JudgeTrend(report.series[0].table, *report.limit);
    return WriteTrendText(report, {});
  };
  EXPECT_THAT(verdict({"app!a 5", "app!a 5", "app!a 5", "app!a 5", "app!a 5"}),
              HasSubstr("\nok: no growth>1MiB/h\n"));
  EXPECT_THAT(
      verdict({"app!a 9", "app!a 2", "app!a 8", "app!a 3", "app!a 7"}),
      ContainsRegex("\nok: no growth>1MiB/h; these dumps would prove growth of "
                    "the total only from [0-9.]+ MiB/h on\n"));
}

TrendReport ReportOfThree() {
  TrendReport report = ReportOf(LeakingTable());
  for (const char* name : {"app.8", "app.9"})
    report.series.push_back(
        {.name = name,
         .program = "/srv/app",
         .table = TrendTableOf(
             {"app!a 5", "app!a 5", "app!a 5", "app!a 5", "app!a 5"})});
  return report;
}

TEST(WriteTrendTextTest, GivesProcessesThatDoNotGrowALine) {
  const std::string text = WriteTrendText(ReportOfThree(), {});
  EXPECT_THAT(text, HasSubstr("app.7: grows by 1.0 MiB/h"));
  EXPECT_THAT(text,
              HasSubstr("\n\nnothing is proven to grow in 2 other processes\n\n"
                        "per hour    first     last  course  trend   process\n"
                        "     0 B  5.0 MiB  5.0 MiB  █████   steady  app.8\n"
                        "     0 B  5.0 MiB  5.0 MiB  █████   steady  app.9\n"));
  EXPECT_THAT(WriteTrendText(ReportOfThree(), {.most_lines = 1}),
              HasSubstr("  app.8\nand 1 more process; --json has all\n"));
  EXPECT_THAT(WriteTrendText(ReportOfThree(), {.most_lines = 0}),
              EndsWith("\n\nnothing is proven to grow in 2 other processes\n"));
  EXPECT_THAT(WriteTrendText(ReportOfThree(), {.shortens_quiet = false}),
              HasSubstr("\napp.9: nothing is proven to grow"));
}

TEST(WriteTrendTextTest, SaysWhichProcessesHaveFewDumps) {
  TrendReport report;
  for (const char* name : {"app.8", "app.9"})
    report.series.push_back({.name = name,
                             .program = "/srv/app",
                             .table = TrendTableOf({"app!a 5", "app!a 5"})});
  const std::string text = WriteTrendText(report, {});
  EXPECT_THAT(text,
              HasSubstr("too few dumps to tell a trend in 2 processes\n"));
  EXPECT_THAT(text, HasSubstr("  few dumps  app.9\n"));
}

TEST(WriteTrendTextTest, ShowsFewTablesOfManyThatGrow) {
  TrendReport report = ReportOfThree();
  report.series.push_back(report.series[0]);
  const std::string text = WriteTrendText(report, {.most_tables = 1});
  EXPECT_THAT(text, HasSubstr("  growing  app.7\n"));
}

TEST(WriteTrendTextTest, ShowsNoControlCharacters) {
  TrendTable table = TrendTableOf({"app!a\x1b[31m 5", "app!a\x1b[31m 9"},
                                  {.by = TrendBy::kStack});
  EXPECT_EQ(WriteTrendText(ReportOf(std::move(table)), {}).find('\x1b'),
            std::string::npos);
}

TEST(WriteTrendHtmlTest, HasSentencesRowsAndPictures) {
  TrendReport report = ReportOf(LeakingTable());
  report.limit = ParseTrendLimit("growth>64KiB/h");
  report.series[0].judgement =
      JudgeTrend(report.series[0].table, *report.limit);
  const std::string page = WriteTrendHtml(report, "1.2");
  EXPECT_THAT(page, HasSubstr("app.7: grows by 1.0 MiB/h in main;leak;"));
  EXPECT_THAT(page, HasSubstr("<p class=\"regression\">regression: growth&#62;"
                              "64KiB/h: main;leak by +1.0 MiB/h</p>"));
  EXPECT_THAT(page, HasSubstr("main;stays"));
  // At 10 and 17 of 17 MiB, from the left to the right end.
  EXPECT_THAT(page, HasSubstr("<circle cx=\"102.0\" cy=\"71.8\" r=\"3\"><title>"
                              "app.7.0.i0.heap: 10.0 MiB</title>"));
  EXPECT_THAT(page, HasSubstr("<circle cx=\"746.0\" cy=\"10.0\" r=\"3\">"
                              "<title>app.7.7.i7.heap: 17.0 MiB</title>"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(WriteTrendHtmlTest, GivesProcessesThatDoNotGrowARow) {
  TrendReport report = ReportOfThree();
  report.series[2].name = "<app>";
  const std::string page = WriteTrendHtml(report, "1.2");
  EXPECT_THAT(page, HasSubstr("<h2>app.7: grows by 1.0 MiB/h"));
  EXPECT_THAT(page, HasSubstr("<h2>Nothing is proven to grow in 2 other "
                              "processes</h2>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"steady\">steady</td><td "
                              "class=\"name\">&#60;app&#62;</td>"));
  EXPECT_THAT(page, HasSubstr("<summary>Details of all of them</summary>\n"
                              "<section>\n<h2>app.8: nothing is proven"));
  for (int i = 0; i < 20; ++i) report.series.push_back(report.series[1]);
  EXPECT_THAT(WriteTrendHtml(report, "1.2"),
              testing::AllOf(HasSubstr("grow in 22 other processes"),
                             HasSubstr("Details of 19 of them")));
}

TEST(WriteTrendHtmlTest, SaysWhenTooManyProcessesGrow) {
  TrendReport report = ReportOfThree();
  for (int i = 0; i < 20; ++i) report.series.push_back(report.series[0]);
  EXPECT_THAT(WriteTrendHtml(report, "1.2"),
              testing::AllOf(HasSubstr("<h2>3 other processes</h2>"),
                             Not(HasSubstr("<details>"))));
}

TEST(WriteTrendHtmlTest, EscapesNames) {
  const std::string page = WriteTrendHtml(
      ReportOf(TrendTableOf({"app!a<b>&c 5", "app!a<b>&c 9"},
                            {.by = TrendBy::kStack, .heading = "<i>"})),
      "1.2");
  EXPECT_THAT(page, HasSubstr("a&#60;b&#62;&#38;c"));
  EXPECT_THAT(page,
              testing::AllOf(Not(HasSubstr("a<b>")), Not(HasSubstr("<i>"))));
}

TEST(WriteTrendHtmlTest, DrawsASingleDump) {
  EXPECT_THAT(WriteTrendHtml(ReportOf(LeakingTable(1)), "1.2"),
              HasSubstr("1 dump is too few"));
}

TEST(WriteTrendCsvTest, QuotesFields) {
  TrendTable table = TrendTableOf({"app!a(int,\"b\") 5", "app!a(int,\"b\") 5"},
                                  {.by = TrendBy::kStack});
  const std::string csv = WriteTrendCsv(ReportOf(std::move(table)));
  EXPECT_THAT(csv, HasSubstr("process,name,label,per,rate"));
  EXPECT_THAT(csv,
              HasSubstr("\napp.7,\"a(int,\"\"b\"\")\",few dumps,hour,0,0,0"));
}

TEST(WriteTrendCsvTest, MakesNamesPrintable) {
  TrendTable table = TrendTableOf({"app!a\x1b[31m 5", "app!a\x1b[31m 5"});
  EXPECT_THAT(WriteTrendCsv(ReportOf(std::move(table))),
              HasSubstr("\napp.7,a?[31m,few dumps,"));
}

TEST(WriteTrendCsvTest, HasTheNumbersOfJson) {
  TrendTable table = TrendTableOf({"app!a 5", "app!a 9", "app!a 12"});
  table.total.trend.all = {.value = 7.6, .variance = 1.7};
  table.total.trend.last_half = {.value = 3.4, .variance = 0.8};
  table.total.peak = 12.6;
  const TrendReport report = ReportOf(std::move(table));
  const auto json = nlohmann::json::parse(WriteTrendJson(report));
  const auto& total = json["series"][0]["total"];
  EXPECT_EQ(total["peak"], 12);
  EXPECT_THAT(
      WriteTrendCsv(report),
      AllOf(HasSubstr(fmt::format(
                ",hour,{},{},{},", total["rate"]["value"].dump(),
                total["rate"]["lower"].dump(), total["rate"]["upper"].dump())),
            HasSubstr(fmt::format(",{},{},{},5242880,12582912,{},3\n",
                                  total["last_half"]["value"].dump(),
                                  total["last_half"]["lower"].dump(),
                                  total["last_half"]["upper"].dump(),
                                  total["peak"].dump()))));
}

TEST(WriteTrendCsvTest, KeepsNamesFromBeingFormulas) {
  TrendTable table =
      TrendTableOf({"app!=1+1 5", "app!=1+1 9"}, {.by = TrendBy::kStack});
  TrendReport report = ReportOf(std::move(table));
  report.series[0].name = "@app";
  EXPECT_THAT(WriteTrendCsv(report), HasSubstr("\n'@app,'=1+1,"));
}

}  // namespace
}  // namespace heapprof
