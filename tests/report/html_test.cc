// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/html.h"

#include <cmath>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "heapprof/report/html_data.h"
#include "heapprof/view/error_bars.h"
#include "support/comparison.h"
#include "support/test_profile.h"
#include "support/written_text.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const ModuleTable kNoModules;

HtmlReport ReportOf(const Profile& profile) {
  HtmlReport report = {.version = "1.2",
                       .title = "<mem>",
                       .overview = MakeOverview(profile, {}),
                       .tree = MakeFrameTree(profile, {}),
                       .functions = MakeMetricTable(profile, {}),
                       .coverage = &kNoModules};
  const ErrorBars errors(profile, Metric::kInuseSpace);
  const FrameChanges changes(report.tree, 0, errors);
  report.graphs.push_back(MakeFlameGraphOfRoot(report.tree, 0, errors));
  report.errors.push_back(
      {.intervals = MakeNodeIntervals(report.tree, 0, errors),
       .model = errors.Model(),
       .level_of_changes = changes.level(),
       .changes = changes.of_joints()});
  return report;
}

std::string PageOf(const HtmlReport& report) {
  return WrittenText([&](ByteSink& out) {
    WriteHtml(report, /*may_start_thread=*/false, out);
  });
}

// The JSON document of a data block.
nlohmann::json DocumentOf(const std::string& block) {
  const size_t end = block.size() - 4;
  uint32_t size = 0;
  for (size_t i = 4; i-- > 0;)
    size = size << 8 | static_cast<unsigned char>(block[end + i]);
  return nlohmann::json::parse(block.substr(end - size, size));
}

TEST(HtmlTest, SaysTheEssentialWithoutScripts) {
  const std::string page =
      PageOf(ReportOf(ProfileOf("main;f 3000000\nmain 1000\n")));
  EXPECT_THAT(page, HasSubstr("<p id=\"total\">2.9 MiB live</p>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number\">2.9 MiB</td><td "
                              "class=\"number\">100%</td><td>f</td>"));
}

TEST(HtmlTest, ShowsBothSidesInTheOverview) {
  Profile profile = ProfileOf("main;f 3145728\n");
  AddBase(0, {.value = 1 << 20}, profile);
  EXPECT_THAT(
      PageOf(ReportOf(profile)),
      HasSubstr("<th scope=\"col\" class=\"number optional\">Before</th>"
                "<th scope=\"col\" class=\"number\">After</th>"
                "<th scope=\"col\" class=\"number\">Change</th>"
                "<th scope=\"col\">Function</th></tr></thead>\n"
                "<tbody>\n<tr><td class=\"number optional\">1.0 MiB</td>"
                "<td class=\"number\">3.0 MiB</td>"
                "<td class=\"number grown\">+2.0 MiB</td>"));
}

TEST(HtmlTest, SaysOfHowMuchFiltersLeaveBothSides) {
  Profile profile = ProfileOf("main;f 3145728\n");
  AddBase(0, {.value = 1 << 20}, profile);
  HtmlReport report = ReportOf(profile);
  report.filters = {"--focus=f"};
  report.graphs.front().filtered_out = {.now = 5 << 20, .base = 1 << 20};
  EXPECT_THAT(PageOf(report),
              HasSubstr("<dt>Filters</dt><dd>--focus=f. They leave 1.0 MiB → "
                        "3.0 MiB of 2.0 MiB → 8.0 MiB.</dd>"));
}

TEST(HtmlTest, TheOverviewListsOnlyFunctionsThatHaveChanged) {
  Profile profile = ProfileOf("main;f 3145728\nmain;g 5\n");
  AddBase(0, {.value = 1 << 20}, profile);
  HtmlReport report = ReportOf(profile);
  report.overview.allocating.rows = {
      {.name = "f",
       .cell = {.change = {.now = {3 << 20, 0}, .base = {1 << 20, 0}}},
       .has_changed = true},
      {.name = "g",
       .cell = {.change = {.now = {5, 0}}, .interval = Interval{1, 9}}}};
  EXPECT_THAT(PageOf(report),
              HasSubstr("<td class=\"number grown\">+2.0 MiB</td>"
                        "<td data-kind=\"function\">f</td></tr>\n"
                        "<tr><td class=\"number optional\"></td>"
                        "<td class=\"number\"></td><td class=\"number\"></td>"
                        "<td data-kind=\"function\">(others: may be chance)"
                        "</td></tr>"));
}

TEST(HtmlTest, SaysWhichMemoryHasNoNames) {
  ModuleTable modules;
  modules.nameless_percent = 60;
  modules.rows.resize(2);
  modules.rows[0].path = "/srv/app";
  modules.rows[0].nameless_percent = 20;
  modules.rows[1].nameless_percent = 40;
  modules.rows[1].status = ModuleStatus::kUnmapped;
  HtmlReport report = ReportOf(ProfileOf("main;f 5\n"));
  report.coverage = &modules;
  const std::string page = PageOf(report);
  EXPECT_THAT(page, HasSubstr("<p>60.0% of the memory is in functions whose "
                              "names are unknown.</p>\n<ul>\n<li>app: 20.0%"));
  EXPECT_THAT(page, HasSubstr("<li>addresses outside the memory map: 40.0%, "
                              "not mapped</li>"));
  modules.nameless_percent = 0.9;
  EXPECT_THAT(PageOf(report), Not(HasSubstr("Memory without names")));
}

TEST(HtmlTest, ShowsGroups) {
  HtmlReport report = ReportOf(ProfileOf("main;f 3145728\n"));
  EXPECT_THAT(PageOf(report), Not(HasSubstr("Groups")));
  report.overview.groups.rows = {{.name = "[other]"}};
  EXPECT_THAT(PageOf(report),
              HasSubstr("<td data-kind=\"group\">[other]</td>"));
}

TEST(HtmlTest, ShowsThreadsOfAComparison) {
  Profile profile = ProfileOf("main;f 3145728\n");
  AddBase(0, {.value = 1 << 20}, profile);
  HtmlReport report = ReportOf(profile);
  report.thread_changes = {
      {.uid = 7,
       .name = "io",
       .top_function = "f",
       .cells = {{.change = {.now = {3 << 20, 0}, .base = {1 << 20, 0}}}}}};
  EXPECT_THAT(PageOf(report),
              HasSubstr("<td class=\"number optional\">1.0 MiB</td>"
                        "<td class=\"number\">3.0 MiB</td>"
                        "<td class=\"number grown\">+2.0 MiB</td>"
                        "<td>io</td><td data-kind=\"function\">f</td>"));
  const nlohmann::json threads = DocumentOf(WrittenText(
      [&](ByteSink& out) { WriteHtmlData(report, out); }))["thread_changes"];
  EXPECT_EQ(threads[0]["values"][0],
            nlohmann::json({1 << 20, 3 << 20, nullptr, false}));
  report.thread_changes[0].name.clear();
  EXPECT_THAT(PageOf(report), HasSubstr("<td>t7</td>"));
}

// As the text report does.
TEST(HtmlTest, CallsThreadsByNumberAndName) {
  HtmlReport report = ReportOf(ProfileOf("main;f 5\n"));
  report.threads.resize(2);
  report.threads[0].uid = 7;
  report.threads[0].name = "io";
  report.threads[1].uid = 8;
  const HtmlSlices nothing = {
      .by_metric = std::vector<TreeSlice>(report.tree.columns.size())};
  report.thread_slices = {nothing, nothing};
  const std::string page = PageOf(report);
  EXPECT_THAT(page, HasSubstr(">t7 io</td>"));
  EXPECT_THAT(page, HasSubstr(">t8</td>"));
}

TEST(HtmlTest, ShowsNamesAsText) {
  HtmlReport report = ReportOf(ProfileOf("<script>|\"x\"&y 5\n"));
  report.overview.program = "</title><b>";
  const std::string page = PageOf(report);
  EXPECT_THAT(page, HasSubstr("<title>&#60;mem&#62; - heapprof</title>"));
  EXPECT_THAT(page, HasSubstr("<td>&#60;script&#62;</td>"));
  EXPECT_THAT(page, HasSubstr("<td>&#34;x&#34;&#38;y</td>"));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
}

TEST(HtmlTest, AlignsTheNumbersOfTheStory) {
  HtmlReport report = ReportOf(ProfileOf("main;f 5\n"));
  report.overview.story = {{.frames = {"Serve"}, .percent = 61.4},
                           {.frames = {"a<b>"}, .percent = 9.5}};
  EXPECT_THAT(PageOf(report),
              HasSubstr("<li><b>61.4%</b> Serve</li>\n"
                        "<li><b>&#8199;9.5%</b> a&#60;b&#62;</li>"));
}

TEST(HtmlTest, ShortensLongNamesInTheStory) {
  HtmlReport report = ReportOf(ProfileOf("main;f 5\n"));
  const std::string name = "a" + std::string(3000, 'x') + "z";
  report.overview.story = {{.frames = {name, name}, .percent = 61.4}};
  const std::string page = PageOf(report);
  const size_t start = page.find("<li><b>61.4%");
  const std::string item =
      page.substr(start, page.find("</li>", start) - start);
  EXPECT_LT(item.size(), 600);
  EXPECT_THAT(item, HasSubstr("xz → ax"));
}

TEST(HtmlTest, ForbidsAllNetwork) {
  EXPECT_THAT(PageOf(ReportOf(ProfileOf("main 5\n"))),
              HasSubstr("content=\"default-src 'none'; base-uri 'none'; "
                        "form-action 'none'; script-src 'sha256-"));
}

TEST(HtmlTest, ShowsAnEmptyProfile) {
  EXPECT_THAT(PageOf(ReportOf(Profile())), HasSubstr("0 B live"));
}

TEST(HtmlDataTest, CodesVariances) {
  EXPECT_EQ(VarianceCode(100 * 512, 100, 512), 0);
  for (const double variance : {1e-3, 0.7, 30.0, 51199.0, 60000.0}) {
    const auto code = static_cast<double>(VarianceCode(variance, 100, 512));
    EXPECT_NEAR(100 * 512 * std::exp(-code / (1 << 19)) / variance, 1, 1e-6);
  }
  EXPECT_EQ(VarianceCode(0, 100, 512), 64 << 19);
  EXPECT_EQ(VarianceCode(30, 30, 0), 0);
  EXPECT_LT(VarianceCode(1e12, 30, 0), 0);
}

TEST(HtmlDataTest, ListsItsColumns) {
  const HtmlReport report = ReportOf(ProfileOf("main;f 300\nmain 2\n"));
  const std::string block =
      WrittenText([&](ByteSink& out) { WriteHtmlData(report, out); });
  const nlohmann::json document = DocumentOf(block);
  EXPECT_THAT(block, ::testing::StartsWith("f\nmain\n"));
  const nlohmann::json names = {"label.name", "t", 2, 7};
  EXPECT_EQ(document["columns"][0], names);
  EXPECT_EQ(document["metrics"][0]["name"], "inuse_space");
  const nlohmann::json nodes = {"node.label", "u", 3, 3};
  EXPECT_THAT(document["columns"], ::testing::Contains(nodes));
  // The values of root, main and f.
  EXPECT_THAT(block, HasSubstr(std::string("\0\x02\xac\x02", 4)));
}

}  // namespace
}  // namespace heapprof
