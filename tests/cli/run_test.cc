// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/error.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

class RunCommandTest : public testing::Test {
 protected:
  RunCommandTest() { options_.outputs.front().path = Path("report"); }

  std::string Path(std::string_view name) const { return folder_.Path(name); }

  // A symbolized file, so that names do not depend on this machine.
  std::string Dump(std::string_view name, std::string_view records) const {
    constexpr std::string_view kHead =
        "--- symbol\n"
        "binary=/srv/app\n"
        "0x0000000000001000 main\n"
        "0x0000000000002000 ns::f(int)\n"
        "---\n"
        "--- heap\n"
        "heap_v2/1\n"
        "  t*: 0: 0 [0: 0]\n";
    return folder_.Write(name, std::string(kHead) + std::string(records));
  }

  int Run() {
    testing::internal::CaptureStderr();
    const int status = RunCommand(std::move(options_));
    messages_ = testing::internal::GetCapturedStderr();
    return status;
  }

  std::string Report() const {
    std::ostringstream text;
    text << std::ifstream(Path("report")).rdbuf();
    return text.str();
  }

  TemporaryFolder folder_;
  Options options_;
  std::string messages_;
};

constexpr std::string_view kLive =
    "@ 0x2000 0x1001\n"
    "  t*: 1: 4096 [0: 0]\n";
constexpr std::string_view kFreed =
    "@ 0x2000 0x1001\n"
    "  t*: 0: 0 [3: 4096]\n";

TEST_F(RunCommandTest, WritesTheReportAndNothingElse) {
  options_.files = {Dump("a.heap", kLive)};
  options_.show_bytes = true;
  EXPECT_EQ(Run(), kExitDone);
  EXPECT_EQ(messages_, "");
  EXPECT_EQ(Report(),
            "Total: 4096 B\n"
            "    4096 100.0% 100.0%     4096 100.0% ns::f\n"
            "       0   0.0% 100.0%     4096 100.0% main\n");
}

TEST_F(RunCommandTest, SaysThatADumpHoldsNoSamples) {
  options_.files = {Dump("a.heap", "")};
  EXPECT_EQ(Run(), kExitDone);
  EXPECT_EQ(messages_,
            "heapprof: the dump holds no samples: profiling was not active, or "
            "the heap is small against the sampling period of 1 B\n");
  EXPECT_EQ(Report(), "");
}

TEST_F(RunCommandTest, SaysThatNoSampleHasAValueOfTheMetric) {
  options_.files = {Dump("a.heap", kFreed)};
  EXPECT_EQ(Run(), kExitDone);
  EXPECT_EQ(messages_,
            "heapprof: no sample has a value of the metric asked for; "
            "--alloc_space has some\n");
  EXPECT_EQ(Report(), "");
}

TEST_F(RunCommandTest, SaysThatNothingDiffersFromTheBase) {
  options_.files = {Dump("a.heap", kLive)};
  options_.bases = {Dump("b.heap", kLive)};
  EXPECT_EQ(Run(), kExitDone);
  EXPECT_EQ(messages_, "heapprof: no difference to the base\n");
}

TEST_F(RunCommandTest, SaysWhatShrankInACollapsedComparison) {
  options_.files = {Dump("a.heap", "")};
  options_.bases = {Dump("b.heap", kLive)};
  options_.outputs.front().format = OutputNamed("collapsed");
  EXPECT_EQ(Run(), kExitDone);
  EXPECT_EQ(messages_, "heapprof: what shrank is not in the output: 4.0 KiB\n");
  EXPECT_EQ(Report(), "");
}

TEST_F(RunCommandTest, NamesTheSettingThatAccumulatedCountersNeed) {
  const std::string dump = Dump("a.heap", kLive);
  options_.files = {dump};
  options_.metric = Metric::kAllocSpace;
  EXPECT_EQ(Run(), kExitFailed);
  EXPECT_EQ(messages_,
            "heapprof: error: " + dump +
                ": the dump has no accumulated counters, which "
                "--alloc_space and --alloc_objects show: run the program with "
                "MALLOC_CONF=prof_accum:true\n");
}

TEST_F(RunCommandTest, RefusesABaseWithoutTheCountersThatTheMetricNeeds) {
  const std::string base = Dump("b.heap", kLive);
  for (const Metric metric : {Metric::kAllocSpace, Metric::kAllocObjects}) {
    for (const bool is_check : {false, true}) {
      options_ = {};
      options_.outputs.front().path = Path("report");
      options_.files = {Dump("a.heap", kFreed)};
      options_.bases = {base};
      options_.metric = metric;
      options_.is_metric_chosen = true;
      if (is_check) {
        options_.command = Command::kCheck;
        options_.check.settings.max_total =
            ParsedSize{.value = 1, .has_unit = !IsObjectCount(metric)};
        options_.check.settings.noise = NoiseMode::kPoint;
      }
      EXPECT_EQ(Run(), is_check ? kExitCheckFailed : kExitFailed);
      EXPECT_THAT(messages_,
                  testing::HasSubstr(base + ": the dump has no accumulated"));
      EXPECT_THAT(messages_, testing::HasSubstr("prof_accum:true"));
    }
  }
}

TEST_F(RunCommandTest, TakesABaseWithoutSamplesForOneWithAllCounters) {
  options_.files = {Dump("a.heap", kFreed)};
  options_.bases = {Dump("b.heap", "")};
  options_.metric = Metric::kAllocSpace;
  EXPECT_EQ(Run(), kExitDone);
  EXPECT_EQ(messages_, "");
}

TEST_F(RunCommandTest, SaysNothingIfQuiet) {
  options_.files = {Dump("a.heap", "")};
  options_.quiet = true;
  EXPECT_EQ(Run(), kExitDone);
  EXPECT_EQ(messages_, "");
}

TEST_F(RunCommandTest, FailsOnAFileThatIsMissing) {
  options_.files = {Path("none.heap")};
  EXPECT_EQ(Run(), kExitFailed);
  EXPECT_EQ(messages_, "heapprof: error: " + Path("none.heap") +
                           ": cannot open: No such file or directory\n");
}

TEST_F(RunCommandTest, FailsOnAnEmptyArgument) {
  options_.files = {""};
  EXPECT_EQ(Run(), kExitFailed);
  EXPECT_EQ(messages_,
            "heapprof: error: '': an empty argument names no file\n");
}

TEST_F(RunCommandTest, KnowsAPatternThatTheShellHasLeft) {
  options_.files = {Path("[ab]*.heap")};
  EXPECT_EQ(Run(), kExitFailed);
  EXPECT_EQ(messages_, "heapprof: error: " + Path("[ab]*.heap") +
                           ": no such file; a shell replaces a pattern if a "
                           "file matches and it is not in quotes\n");
}

TEST_F(RunCommandTest, SuggestsTheCommandThatWasMistyped) {
  options_.args = {"chek", "a.heap"};
  options_.files = options_.args;
  EXPECT_EQ(Run(), kExitUsage);
  EXPECT_EQ(messages_,
            "heapprof: error: chek: neither a file nor a command; did you mean "
            "'heapprof check'?\n");
}

TEST_F(RunCommandTest, SaysThatACommandComesBeforeItsOptions) {
  options_.args = {"--quiet", "check", "a.heap"};
  options_.files = {"check", "a.heap"};
  EXPECT_EQ(Run(), kExitUsage);
  EXPECT_EQ(messages_,
            "heapprof: error: check: not a file; the command comes before its "
            "options: heapprof check ...\n");
}

TEST_F(RunCommandTest, KnowsTheCommandsOfOtherTools) {
  const std::pair<std::string, std::string> kMeant[] = {
      {"diff", "--base"},       {"list", "--list"},    {"top", "--text"},
      {"report", "--overview"}, {"tree", "--tree"},    {"svg", "--svg"},
      {"version", "--version"}, {"stacks", "--traces"}};
  for (const auto& [word, option] : kMeant) {
    options_ = {};
    options_.args = {word, "a.heap"};
    options_.files = options_.args;
    EXPECT_EQ(Run(), kExitUsage);
    EXPECT_EQ(messages_, "heapprof: error: " + word +
                             ": neither a file nor a command; did you mean '" +
                             option + "'?\n");
  }
  for (const char* const file : {"web2", "o", "gv"}) {
    options_ = {};
    options_.args = options_.files = {file};
    EXPECT_EQ(Run(), kExitFailed) << file;
  }
}

TEST_F(RunCommandTest, SaysWhatToDoWithAProcess) {
  options_.args = options_.files = {std::to_string(getpid())};
  EXPECT_EQ(Run(), kExitUsage);
  EXPECT_THAT(messages_,
              testing::HasSubstr("a process, not a file; 'heapprof dump "));
}

// A command is the first argument, and a file is no typing error.
TEST_F(RunCommandTest, SuggestsNoCommandForFiles) {
  options_ = {};
  options_.args = {"--text", "chek"};
  options_.files = {"chek"};
  EXPECT_EQ(Run(), kExitFailed);
  EXPECT_THAT(messages_, testing::HasSubstr("chek: cannot open"));
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  Dump("chek", kLive);
  options_ = {};
  options_.outputs.front().path = Path("report");
  options_.args = options_.files = {"chek"};
  EXPECT_EQ(Run(), kExitDone);
  std::filesystem::current_path(here);
}

TEST_F(RunCommandTest, ReportsAUsageErrorWithoutAProfile) {
  EXPECT_EQ(Run(), kExitUsage);
  EXPECT_EQ(
      messages_,
      "heapprof: error: no profile given, not even '-' for standard input; "
      "see heapprof --help\n");
}

TEST(ReportErrorTest, LetsNoControlCharacterReachTheTerminal) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(ReportError(
                {ErrorKind::kIo, "a\x1b[2J\nb\x7f\xc2\x9b\xc3\xa9\xc2\xa0\xc2"},
                kExitFailed),
            kExitFailed);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "heapprof: error: a?[2J?b??\xc3\xa9\xc2\xa0\xc2\n");
}

}  // namespace
}  // namespace heapprof
