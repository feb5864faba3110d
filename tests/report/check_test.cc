// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/check.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "heapprof/base/text_columns.h"
#include "report/mebibyte.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A name with all that could break a format.
const std::string kHostile =
    "<script>|`*@all\n::error::\"'&]]>\x1b[31m\xff\x01\xef\xbf\xbf";

class CheckReportTest : public testing::Test {
 protected:
  CheckReportTest() {
    report_.dumps.now = {{.path = "/d/new.heap"}};
    report_.dumps.base = {{.path = "/d/old.heap",
                           .program = "/srv/server",
                           .build_id = "289ee39f0a1b55"},
                          {.path = "/d/old2.heap"}};
    for (const Side side : kSides)
      comparison_.sides[side] = {.runs = 1, .period = 524288};
    comparison_.total = Entry("total", 10, 15);
  }

  static ComparisonEntry Entry(const std::string& name, double before,
                               double after) {
    ComparisonEntry entry = {.key = name, .name = name};
    entry.growth.base.mean.value = before * kMebibyte;
    entry.growth.now.mean.value = after * kMebibyte;
    entry.change = (after - before) * kMebibyte;
    entry.interval = {entry.change - kMebibyte, entry.change + kMebibyte};
    entry.is_new = before == 0;
    return entry;
  }

  void AddFinding(const ComparisonEntry& entry, Verdict verdict) {
    comparison_.entries.push_back(entry);
    result_.findings.push_back({.rule = "max-growth",
                                .entry = comparison_.entries.size() - 1,
                                .kind = FindingKind::kEntry,
                                .verdict = verdict,
                                .allowed = 4 * kMebibyte,
                                .path = {"main", "Serve"}});
    result_.verdict = std::max(result_.verdict, verdict);
  }

  Comparison comparison_;
  Budgets budgets_;
  CheckResult result_;
  CheckReport report_ = {
      .comparison = comparison_, .budgets = budgets_, .result = result_};
};

TEST_F(CheckReportTest, TextBeginsWithTheVerdictAndBothSides) {
  AddFinding(Entry("ns::Leak", 0, 5), Verdict::kRegression);
  result_.explained = 2;
  EXPECT_EQ(WriteCheckText(report_),
            R"(regression: 1 function over the limit

before  /d/old.heap and 1 more   server (build 289ee39f0a1b)
        10.0 MiB live; one sample per 512 KiB
after   /d/new.heap
        15.0 MiB live; one sample per 512 KiB
inuse_space by function, 95 % confidence

  before     after          change  allowed  verdict     function
10.0 MiB  15.0 MiB  +5.0 ± 1.0 MiB                       total
     new   5.0 MiB  +5.0 ± 1.0 MiB  4.0 MiB  regression  ns::Leak
        max-growth, via main > Serve
2 callers hidden: the functions above explain their growth
)");
}

TEST_F(CheckReportTest, HeadlineCountsAnEntryWithSeveralLimitsOnce) {
  AddFinding(Entry("f", 2, 9), Verdict::kRegression);
  AddFinding(Entry("g", 2, 9), Verdict::kInconclusive);
  for (const size_t i : {0, 1}) {
    result_.findings.push_back(result_.findings[i]);
    result_.findings.back().rule = "rules[0].max-total";
  }
  EXPECT_THAT(WriteCheckText(report_),
              StartsWith("regression: 1 function over the limit; 1 function "
                         "may be over the limit, not proven\n"));
}

TEST_F(CheckReportTest, TextFitsTheTerminal) {
  AddFinding(Entry(std::string(300, 'x'), 100, 500), Verdict::kRegression);
  AddFinding(Entry(std::string(300, 'y'), 100, 102), Verdict::kInconclusive);
  for (CheckFinding& finding : result_.findings)
    finding.path = {std::string(300, 'm'), std::string(300, 'n')};
  report_.dumps.now.front().path = "/" + std::string(300, 'd') + "/new.heap";
  report_.detectable = {{.allowed_growth = kMebibyte, .growth = kMebibyte}};
  report_.explains = true;
  comparison_.entries[1].interval = {0.1 * kMebibyte, 1011.1 * kMebibyte};
  for (const size_t width : {57U, 80U, 100U, 200U}) {
    report_.width = width;
    const std::string text = WriteCheckText(report_);
    size_t longest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      longest = std::max(longest, Columns(line));
    EXPECT_LE(longest, width) << text;
    EXPECT_THAT(text, HasSubstr("inconclusive"));
  }
  report_.width = 0;
  EXPECT_THAT(WriteCheckText(report_), Not(HasSubstr(std::string(120, 'x'))));
  EXPECT_THAT(WriteCheckText(report_), HasSubstr("m > n"));
}

TEST_F(CheckReportTest, LongPathsLeaveNotesWhole) {
  AddFinding(Entry("f", 1, 9), Verdict::kRegression);
  CheckFinding& finding = result_.findings.front();
  finding.note = std::string(100, 'n');
  finding.path = {"main", std::string(40, 'p'), "Serve"};
  EXPECT_THAT(
      WriteCheckText(report_),
      HasSubstr("max-growth, " + finding.note + "\n        via main > " +
                finding.path[1] + " > Serve\n"));
}

TEST_F(CheckReportTest, LongCallersKeepTheirTypes) {
  AddFinding(Entry("f", 1, 9), Verdict::kRegression);
  result_.findings.front().path = {
      "<app::exec::HashJoin as app::exec::Executor>::apply",
      "<app::exec::HashAgg as app::exec::Executor>::apply"};
  EXPECT_THAT(WriteCheckText(report_),
              HasSubstr("via <…::HashJoin as …::Executor>::apply > "
                        "<…::HashAgg as …::Executor>::apply\n"));
}

TEST_F(CheckReportTest, TextKeepsTheVerdictOnTheScreen) {
  for (int i = 0; i < 30; ++i)
    AddFinding(Entry("f" + std::to_string(i), 1, 9), Verdict::kRegression);
  result_.explained = 2;
  const auto lines = [this](size_t width, size_t height) {
    report_.width = width;
    report_.height = height;
    const std::string text = WriteCheckText(report_);
    return std::ranges::count(text, '\n');
  };
  for (const size_t width : {80U, 160U}) {
    EXPECT_GT(lines(width, 0), 60);
    for (const size_t height : {24U, 40U}) {
      // A message and the prompt of the shell follow.
      EXPECT_LE(lines(width, height) + 2, height);
      EXPECT_GT(lines(width, height), height - 8);
    }
  }
  EXPECT_THAT(WriteCheckText(report_), HasSubstr(" f0"));
  EXPECT_THAT(WriteCheckText(report_), HasSubstr(" more, which a pipe or -o "));
  // All findings fit.
  EXPECT_EQ(lines(160, 100), lines(160, 0));
}

TEST_F(CheckReportTest, TextIsColoredOnlyOnTerminals) {
  AddFinding(Entry("ns::Leak", 0, 5), Verdict::kRegression);
  EXPECT_THAT(WriteCheckText(report_), Not(HasSubstr("\x1b")));
  report_.color = true;
  const std::string text = WriteCheckText(report_);
  EXPECT_THAT(text, StartsWith("\x1b[1;31mregression: 1 function over the "
                               "limit\x1b[0m\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[1;31m     new   5.0 MiB"));
}

TEST_F(CheckReportTest, TextWithoutBaseShowsOneSide) {
  report_.dumps.base.clear();
  result_.totals = {{.rule = "max-total", .allowed = 20 * kMebibyte}};
  EXPECT_EQ(WriteCheckText(report_), R"(ok: nothing over its limit

after   /d/new.heap
        15.0 MiB live; one sample per 512 KiB
inuse_space, 95 % confidence

before     after  change   allowed  verdict  function
        15.0 MiB          20.0 MiB  ok       total
        max-total
)");
}

TEST_F(CheckReportTest, TextSaysWhatIsInconclusive) {
  for (int i = 0; i < 25; ++i)
    AddFinding(Entry("f", 4, 5), Verdict::kInconclusive);
  const std::string text = WriteCheckText(report_);
  EXPECT_THAT(text, StartsWith("inconclusive: 25 functions may be over the "
                               "limit, not proven\n"));
  EXPECT_THAT(text, HasSubstr("and 5 more that are inconclusive\n"));
  result_.findings.resize(21);
  EXPECT_THAT(WriteCheckText(report_),
              HasSubstr("and 1 more that is inconclusive\n"));
}

TEST_F(CheckReportTest, TextNamesExpiredIgnores) {
  result_.findings = {{.rule = "ignore[0]",
                       .kind = FindingKind::kExpiredIgnore,
                       .verdict = Verdict::kRegression,
                       .note = "expired on 2027-01-31: known"}};
  result_.verdict = Verdict::kRegression;
  EXPECT_THAT(
      WriteCheckText(report_),
      HasSubstr(
          "regression  ignore[0]\n        expired on 2027-01-31: known\n"));
}

TEST_F(CheckReportTest, JsonHasExactNumbers) {
  AddFinding(Entry("ns::Leak", 0, 5), Verdict::kRegression);
  const auto json = nlohmann::json::parse(WriteCheckJson(report_));
  EXPECT_EQ(json["schema"], "heapprof.check");
  EXPECT_EQ(json["verdict"], "regression");
  EXPECT_EQ(json["base"]["dumps"].size(), 2U);
  EXPECT_EQ(json["findings"][0]["after"], 5 << 20);
  EXPECT_EQ(json["findings"][0]["entry"]["name"], "ns::Leak");
}

TEST_F(CheckReportTest, ShortensCallers) {
  AddFinding(Entry("f", 1, 9), Verdict::kRegression);
  const std::string longest(48, 'm');
  result_.findings[0].path = {longest, longest + 'n'};
  EXPECT_THAT(WriteCheckJunit(report_),
              HasSubstr("via " + longest + " &#62; m"));
  EXPECT_THAT(WriteCheckJunit(report_), Not(HasSubstr(longest + 'n')));
}

TEST_F(CheckReportTest, JsonHasTheNumbers) {
  ComparisonEntry entry = Entry("ns::Leak", 1, 9);
  entry.file = "/src/leak.cc";
  entry.line = 7;
  AddFinding(entry, Verdict::kRegression);
  result_.findings[0].lower_bound = kMebibyte;
  result_.findings[0].upper_bound = 2 * kMebibyte;
  result_.tested = 3;
  result_.untested = 4;
  result_.explained = 5;
  report_.detectable = {{.subject = Detectable::Subject::kNewEntry,
                         .base = 1,
                         .allowed_growth = 2,
                         .growth = 3,
                         .more_samples = 4,
                         .lg_prof_sample = 17,
                         .runs = 6}};
  const auto json = nlohmann::json::parse(WriteCheckJson(report_));
  EXPECT_EQ(json["verdict"], "regression");
  EXPECT_EQ(json["total"]["before"], 10485760);
  EXPECT_EQ(json["total"]["after"], 15728640);
  EXPECT_EQ(json["total"]["change"], 5242880);
  EXPECT_EQ(json["tested"], 3);
  EXPECT_EQ(json["untested"], 4);
  EXPECT_EQ(json["explained"], 5);
  EXPECT_EQ(json["findings"][0], nlohmann::json::parse(R"({
      "rule": "max-growth", "verdict": "regression",
      "entry": {"name": "ns::Leak", "key": "ns::Leak", "file": "/src/leak.cc",
                "line": 7, "is_new": false},
      "before": 1048576, "after": 9437184, "change": 8388608,
      "interval": {"lower": 7340032, "upper": 9437184, "confidence": 0.95},
      "allowed": 4194304, "excess": {"lower": 1048576, "upper": 2097152},
      "path": [{"name": "main"}, {"name": "Serve"}], "note": null})"));
  EXPECT_EQ(json["detectable"][0], nlohmann::json::parse(R"({
      "subject": "new_entry", "before": 1, "allowed_growth": 2,
      "detectable_growth": 3, "more_samples": 4, "lg_prof_sample": 17,
      "runs": 6})"));
}

TEST_F(CheckReportTest, JsonKeepsAllBytesOfNames) {
  AddFinding(Entry("a\xff", 0, 5), Verdict::kRegression);
  result_.findings[0].path = {"m\xfe", "main"};
  report_.dumps.now.front().path = "\xfd";
  const std::string text = WriteCheckJson(report_);
  EXPECT_TRUE(std::ranges::all_of(
      text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  const auto json = nlohmann::json::parse(text);
  const auto& finding = json["findings"][0];
  EXPECT_EQ(finding["entry"]["name_bytes"], "61ff");
  EXPECT_EQ(finding["entry"]["key_bytes"], "61ff");
  EXPECT_EQ(finding["path"][0]["name_bytes"], "6dfe");
  EXPECT_FALSE(finding["path"][1].contains("name_bytes"));
  EXPECT_EQ(json["new"]["dumps"][0]["path_bytes"], "fd");
}

TEST_F(CheckReportTest, JsonOfAnAbsentBaseHasNoRuns) {
  report_.dumps.base.clear();
  const auto json = nlohmann::json::parse(WriteCheckJson(report_));
  EXPECT_EQ(json["base"]["runs"], 0);
  EXPECT_EQ(json["new"]["runs"], 1);
  EXPECT_TRUE(json["base"]["sampling_period"].is_null());
  EXPECT_TRUE(json["total"]["change"].is_null());
}

TEST_F(CheckReportTest, HostileNamesDoNoHarm) {
  ComparisonEntry entry = Entry(kHostile, 1, 9);
  entry.file = kHostile;
  entry.line = 7;
  AddFinding(entry, Verdict::kRegression);
  result_.findings[0].path = {kHostile};
  EXPECT_THAT(WriteCheckText(report_), Not(HasSubstr("\x1b")));
  EXPECT_THAT(WriteCheckText(report_), Not(HasSubstr("\n::error")));
  EXPECT_FALSE(nlohmann::json::parse(WriteCheckJson(report_), nullptr, false)
                   .is_discarded());
  const std::string markdown = WriteCheckMarkdown(report_);
  for (const char* bad : {"<script", "|`", "@all", "\x1b", "\xff", "*@"})
    EXPECT_THAT(markdown, Not(HasSubstr(bad)));
  const std::string junit = WriteCheckJunit(report_);
  for (const char* bad : {"<script", "]]>", "\x1b", "\xff", "\xef\xbf\xbf"})
    EXPECT_THAT(junit, Not(HasSubstr(bad)));
}

TEST_F(CheckReportTest, MarkdownFitsIntoAComment) {
  const std::string name(3000, '<');
  for (int i = 0; i < 500; ++i)
    AddFinding(Entry(name, 1, 9), Verdict::kRegression);
  // Continuation bytes have no columns of their own.
  result_.totals = {{.rule = "max-total", .note = std::string(90'000, '\x80')}};
  result_.ignored = result_.findings;
  report_.dumps.now.front().path = name;
  const std::string markdown = WriteCheckMarkdown(report_);
  EXPECT_LE(markdown.size(), 60'000U);
  EXPECT_GT(markdown.size(), 40'000U);
  EXPECT_THAT(markdown, ::testing::ContainsRegex("and [0-9]+ more \\|"));
}

TEST_F(CheckReportTest, MarkdownTellsAFunctionFromTheTotal) {
  AddFinding(Entry("total", 0, 5), Verdict::kRegression);
  const std::string markdown = WriteCheckMarkdown(report_);
  EXPECT_THAT(markdown, HasSubstr("| **total** |"));
  EXPECT_THAT(markdown, HasSubstr("| <code>total</code> "));
}

TEST_F(CheckReportTest, MarkdownHasNoLinks) {
  AddFinding(Entry("a https://b.c www.b.c", 1, 9), Verdict::kRegression);
  const std::string markdown = WriteCheckMarkdown(report_);
  for (const char* link : {"://", "www."})
    EXPECT_THAT(markdown, Not(HasSubstr(link)));
}

TEST_F(CheckReportTest, SaysIfOnlyGrowthFarAboveALimitCouldHaveBeenFound) {
  const auto reports = {&WriteCheckText, &WriteCheckMarkdown,
                        &WriteCheckGithub};
  report_.detectable = {{.allowed_growth = kMebibyte, .growth = 4 * kMebibyte}};
  for (const auto write : reports)
    EXPECT_THAT(write(report_), Not(HasSubstr("Too few samples")));
  report_.detectable.push_back({.subject = Detectable::Subject::kNewEntry,
                                .allowed_growth = kMebibyte,
                                .growth = 5 * kMebibyte});
  for (const auto write : reports)
    EXPECT_THAT(
        write(report_),
        HasSubstr("growth of a new function is proven only from 5.0 MiB "
                  "on, 1.0 MiB is allowed"));
  EXPECT_THAT(WriteCheckGithub(report_), StartsWith("::notice title="));
  budgets_.settings.noise = NoiseMode::kPoint;
  EXPECT_THAT(WriteCheckText(report_), Not(HasSubstr("Too few samples")));
  budgets_.settings.noise = {};
  result_.verdict = Verdict::kRegression;
  EXPECT_THAT(WriteCheckText(report_), Not(HasSubstr("Too few samples")));
}

TEST_F(CheckReportTest, ExplainsExactDumps) {
  report_.explains = true;
  report_.detectable = {{.allowed_growth = kMebibyte, .growth = kMebibyte},
                        {.allowed_growth = kMebibyte, .growth = 2 * kMebibyte}};
  const std::string text = WriteCheckText(report_);
  EXPECT_THAT(text, HasSubstr("  - the total: all growth beyond 1.0 MiB is "
                              "proven\n"));
  EXPECT_THAT(text, HasSubstr("  - the total: growth of 2.0 MiB is proven in 9 "
                              "of 10 cases, 1.0 MiB is allowed\n"));
}

TEST_F(CheckReportTest, AdvisesHowToGetMoreSamples) {
  report_.explains = true;
  const auto text = [this](std::optional<unsigned> lg,
                           std::optional<size_t> runs) {
    report_.detectable = {{.allowed_growth = kMebibyte,
                           .growth = 2 * kMebibyte,
                           .more_samples = 4,
                           .lg_prof_sample = lg,
                           .runs = runs}};
    return WriteCheckText(report_);
  };
  EXPECT_THAT(text(17, 4), HasSubstr("twice that, use lg_prof_sample:17 or 4 "
                                     "runs per side\n"));
  EXPECT_THAT(text(17, {}), HasSubstr("twice that, use lg_prof_sample:17\n"));
  EXPECT_THAT(text({}, 4), HasSubstr("twice that, use 4 runs per side\n"));
  EXPECT_THAT(text({}, {}),
              HasSubstr("twice that, allow more growth, or sample "
                        "every allocation with lg_prof_sample:0"));
}

TEST_F(CheckReportTest, ShowsTheAllowedGrowthBesideTheGrowth) {
  AddFinding(Entry("f", 1, 9), Verdict::kRegression);
  result_.findings[0].limits_growth = true;
  EXPECT_THAT(WriteCheckText(report_), HasSubstr(" MiB  +3.0 MiB  regression"));
  EXPECT_THAT(WriteCheckGithub(report_), HasSubstr("allowed +3.0 MiB (max"));
}

TEST_F(CheckReportTest, NamesFilesAsTheRepositoryDoes) {
  AddFinding(Entry("/home/me/repo/src/a.cc", 1, 9), Verdict::kRegression);
  result_.findings[0].path = {"/home/me/repo/src/main.cc"};
  report_.source_root = "/home/me/repo";
  const std::string text = WriteCheckText(report_);
  EXPECT_THAT(text, HasSubstr("regression  src/a.cc\n"));
  EXPECT_THAT(text, HasSubstr("via src/main.cc\n"));
}

// A review of the program does not show the headers of its libraries.
TEST_F(CheckReportTest, AnnotatesNoFilesOfTheSystem) {
  ComparisonEntry entry = Entry("std::f", 1, 9);
  entry.file = "/usr/include/c++/12/bits/stl_vector.h";
  entry.line = 7;
  AddFinding(entry, Verdict::kRegression);
  EXPECT_THAT(WriteCheckGithub(report_),
              StartsWith("::error title=Heap check%3A regression::std::f: "));
}

// Containers build programs in /usr/src.
TEST_F(CheckReportTest, AnnotatesFilesThatAreBuiltInSystemFolders) {
  ComparisonEntry entry = Entry("f", 1, 9);
  entry.file = "/usr/src/app/f.cc";
  AddFinding(entry, Verdict::kRegression);
  EXPECT_THAT(WriteCheckGithub(report_),
              StartsWith("::error file=/usr/src/app/f.cc,title="));
}

// GitHub divides a row at each "|" that has no backslash, wherever it is.
TEST_F(CheckReportTest, MarkdownRowsHaveSixCells) {
  AddFinding(Entry(kHostile, 1, 9), Verdict::kRegression);
  result_.findings[0].note = result_.findings[0].path[0] = kHostile;
  std::istringstream lines(WriteCheckMarkdown(report_));
  size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('|')) continue;
    ++rows;
    EXPECT_EQ(std::ranges::count(line, '|'), 7) << line;
    EXPECT_FALSE(line.contains('`')) << line;
  }
  EXPECT_EQ(rows, 4U);  // the heading, its rule, the total, the finding
}

TEST_F(CheckReportTest, GithubAnnotatesSourceLines) {
  ComparisonEntry entry = Entry("ns::Leak", 1, 9);
  entry.file = "/repo/src/a,b:c%.cc";
  entry.line = 12;
  AddFinding(entry, Verdict::kRegression);
  report_.source_root = "/repo";
  EXPECT_THAT(
      WriteCheckGithub(report_),
      StartsWith("::error file=src/a%2Cb%3Ac%25.cc,line=12,title=Heap check%3A "
                 "regression::ns::Leak: 1.0 MiB to 9.0 MiB (+8.0 ± 1.0 MiB), "
                 "allowed 4.0 MiB (max-growth)\n### Heap check: regression\n"));
}

TEST_F(CheckReportTest, GithubOnlyWarnsOfWhatDoesNotFail) {
  AddFinding(Entry("f", 1, 9), Verdict::kInconclusive);
  EXPECT_THAT(WriteCheckGithub(report_), StartsWith("::warning title="));
  budgets_.settings.fail_on = FailOn::kInconclusive;
  EXPECT_THAT(WriteCheckGithub(report_), StartsWith("::error title="));
  budgets_.settings.fail_on = FailOn::kNever;
  EXPECT_THAT(WriteCheckGithub(report_), StartsWith("::warning title="));
}

TEST_F(CheckReportTest, GithubShowsTenErrorsAndTenWarnings) {
  for (int i = 0; i < 12; ++i) {
    AddFinding(Entry("f", 1, 9), Verdict::kRegression);
    AddFinding(Entry("f", 1, 9), Verdict::kInconclusive);
  }
  std::istringstream lines(WriteCheckGithub(report_));
  size_t errors = 0;
  size_t warnings = 0;
  for (std::string line; std::getline(lines, line);) {
    errors += line.starts_with("::error ") ? 1U : 0U;
    warnings += line.starts_with("::warning ") ? 1U : 0U;
  }
  EXPECT_EQ(errors, 10U);
  EXPECT_EQ(warnings, 10U);
}

TEST_F(CheckReportTest, JunitCountsFailuresAndSkipped) {
  result_.totals = {{.rule = "max-total", .verdict = Verdict::kOk}};
  AddFinding(Entry("f", 1, 9), Verdict::kRegression);
  AddFinding(Entry("g", 1, 9), Verdict::kInconclusive);
  AddFinding(Entry("h", 1, 9), Verdict::kRegression);
  result_.ignored = {result_.findings.back()};
  result_.findings.pop_back();
  result_.tested = 5;
  const std::string junit = WriteCheckJunit(report_);
  EXPECT_THAT(junit, HasSubstr("tests=\"5\" failures=\"1\" errors=\"0\" "
                               "skipped=\"2\""));
  EXPECT_THAT(junit, ::testing::ContainsRegex("name=\"f\"[^<]*<failure"));
  EXPECT_THAT(junit, ::testing::ContainsRegex("name=\"h\"[^<]*<skipped"));
  EXPECT_THAT(junit, HasSubstr("name=\"all other functions\""));
  // Some services show the message, others the text.
  EXPECT_THAT(junit, HasSubstr("message=\"1.0 MiB to 9.0 MiB"));
  EXPECT_THAT(junit, HasSubstr("\">1.0 MiB to 9.0 MiB"));
}

TEST(CheckFormatsTest, EachHasAName) {
  std::vector<std::string_view> names;
  for (const CheckFormat& format : CheckFormats()) names.push_back(format.name);
  EXPECT_THAT(names, ::testing::ElementsAre("text", "json", "markdown",
                                            "github", "junit"));
}

}  // namespace
}  // namespace heapprof
