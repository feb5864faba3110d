// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/word_sources.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/args/option_table.h"

namespace heapprof {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

const OptionSpec& OptionWith(std::string_view name) {
  return *std::ranges::find(OptionTable(), name, &OptionSpec::name);
}

WordSources ValueOf(std::string_view option) {
  return SourcesOfValue(OptionWith(option));
}

TEST(SourcesOfValueTest, OffersTheChoicesOfTheTable) {
  EXPECT_EQ(ValueOf("color"),
            (WordSources{.words = {"auto", "always", "never"}}));
  EXPECT_THAT(ValueOf("own").words, ElementsAre("auto", "none"));
  EXPECT_THAT(ValueOf("metric").words, Contains("inuse_space"));
}

TEST(SourcesOfValueTest, DependsOnTheCommand) {
  const auto words = [](std::string_view option, Command command) {
    return SourcesOfValue(SpecOf(command).OptionOf(OptionWith(option))).words;
  };
  EXPECT_THAT(words("by", Command::kTrend), Contains("own"));
  EXPECT_THAT(words("by", Command::kCheck), Not(Contains("own")));
  EXPECT_THAT(words("fail-on", Command::kTrend), IsEmpty());
  EXPECT_THAT(words("fail-on", Command::kCheck), Contains("never"));
}

TEST(SourcesOfValueTest, KnowsDumpsFilesAndFolders) {
  EXPECT_EQ(ValueOf("base"), WordSources{.inputs = true});
  EXPECT_EQ(ValueOf("new"), WordSources{.inputs = true});
  EXPECT_EQ(ValueOf("output"), WordSources{.files = true});
  EXPECT_EQ(ValueOf("symbol-path"), WordSources{.folders = true});
}

TEST(SourcesOfValueTest, OffersNothingForWhatOnlyTheUserKnows) {
  for (const char* option : {"focus", "top", "max-growth", "thread", "title"})
    EXPECT_EQ(ValueOf(option), WordSources()) << option;
}

TEST(SourcesOfArgumentsTest, ReadsTheUsage) {
  EXPECT_EQ(SourcesOfArguments(SpecOf(Command::kReport)),
            WordSources{.inputs = true});
  EXPECT_EQ(SourcesOfArguments(SpecOf(Command::kDump)),
            WordSources{.processes = true});
  EXPECT_THAT(SourcesOfArguments(SpecOf(Command::kCache)).words,
              ElementsAre("list", "prune", "clear"));
  EXPECT_THAT(SourcesOfArguments(SpecOf(Command::kHelp)).words,
              ::testing::IsSupersetOf({"check", "trend", "filters"}));
  const WordSources doctor = SourcesOfArguments(SpecOf(Command::kDoctor));
  EXPECT_TRUE(doctor.inputs && doctor.processes && doctor.programs);
}

TEST(SummaryTest, EndsBeforeTheDetails) {
  EXPECT_EQ(Summary(OptionWith("budget")),
            "with --markdown: write at most SIZE");
  EXPECT_EQ(Summary(OptionWith("module")), OptionWith("module").help);
  for (const OptionSpec& option : OptionTable()) {
    EXPECT_THAT(Summary(option), Not(::testing::HasSubstr("\n")));
    EXPECT_EQ(Summary(option).empty(), option.help.empty());
  }
}

}  // namespace
}  // namespace heapprof
