// SPDX-License-Identifier: Apache-2.0
#include "cli/args/help.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/args/option_table.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;

TEST(HelpTextTest, ListsEveryOptionThatHasAMeaning) {
  const std::string help =
      HelpText() + HelpOf(SpecOf(Command::kCheck)) +
      HelpOf(SpecOf(Command::kRecord)) + HelpOf(SpecOf(Command::kTrend)) +
      HelpOf(SpecOf(Command::kExplain)) + HelpOf(SpecOf(Command::kIndex)) +
      HelpOf(SpecOf(Command::kGroups));
  for (const OptionSpec& spec : OptionTable()) {
    const std::string dashes = spec.name.size() == 1 ? "-" : "--";
    const std::string name =
        dashes + (spec.is_on_by_default ? "no-" : "") + std::string(spec.name);
    if (spec.replacement.empty())
      EXPECT_THAT(help, ::testing::ContainsRegex("[ ,]" + name + "[ ,\n]"));
    else
      EXPECT_THAT(help, Not(HasSubstr(' ' + name + ' ')));
  }
}

TEST(HelpTextTest, ListsOptionsOfCheckOnlyForCheck) {
  EXPECT_THAT(HelpText(), Not(HasSubstr("--max-growth LIMIT")));
  EXPECT_THAT(HelpOf(SpecOf(Command::kCheck)),
              HasSubstr("  --max-growth LIMIT"));
  EXPECT_THAT(HelpOf(SpecOf(Command::kCheck)), HasSubstr("'filters'"));
  EXPECT_THAT(HelpOf(SpecOf(Command::kCheck)), Not(HasSubstr("--collapsed")));
}

TEST(HelpTextTest, ListsTheCommands) {
  EXPECT_THAT(HelpText(), HasSubstr(R"(
usage: heapprof [options] [BINARY] DUMP...
       heapprof record [options] [--] PROGRAM [ARGUMENT]...
       heapprof dump [--rss] PID...
       heapprof doctor [options] [PID | PROGRAM | [BINARY] DUMP]
       heapprof check [options] [BINARY] --base OLD... --new NEW...
)"));
  EXPECT_THAT(HelpText(), HasSubstr(R"(
  info                 what is in the dump, which modules have names, and what
                       to do about the others
  cache                list the indexes of binaries, remove unusable ones, or
                       all
)"));
}

TEST(HelpOfTest, IsThePageOfTheCommandOrOfTheManual) {
  EXPECT_THAT(HelpOf(SpecOf(Command::kCheck)),
              ::testing::StartsWith("heapprof check - "));
  const std::string page = *HelpPage("info");
  const size_t title_end = page.find('\n');
  EXPECT_EQ(HelpOf(SpecOf(Command::kInfo)),
            "heapprof " + page.substr(0, title_end) +
                "\n\nusage: heapprof info [options] [BINARY] DUMP" +
                page.substr(title_end));
  for (const Command command : {Command::kReport, Command::kHelp})
    EXPECT_EQ(HelpOf(SpecOf(command)), HelpText());
}

TEST(HelpTextTest, LaysOutAGroup) {
  EXPECT_THAT(HelpText(), HasSubstr(R"(
Indexes (what was read from a binary, kept for later runs):
  --index-dir DIR      name frames with the indexes in DIR, which 'heapprof
                       index' made on another machine: debug files and even
                       binaries may be missing; may be repeated
  --no-cache           neither use nor build indexes of the cache
  --cache-dir DIR      keep the indexes in DIR (default:
                       $XDG_CACHE_HOME/heapprof or ~/.cache/heapprof)
  --cache-size SIZE    remove the least recently used indexes beyond SIZE
                       (default 4GiB)
)"));
}

TEST(HelpTextTest, PutsALongSyntaxOnALineOfItsOwn) {
  EXPECT_THAT(HelpText(), HasSubstr(R"(
  --load-base [FILE=]ADDR
                       for dumps without a memory map: where the first page)"));
}

TEST(HelpTextTest, NamesAliasesWithTheirOption) {
  EXPECT_THAT(HelpText(), HasSubstr("\n  -o, --output FILE    write"));
  EXPECT_THAT(HelpText(), HasSubstr("\n  --proto, --pprof     pprof"));
}

// Lines that are longer than a terminal is wide.
std::vector<std::string> LongLines(const std::string& text) {
  std::vector<std::string> lines;
  size_t start = 0;
  for (size_t end = text.find('\n'); end != text.npos;
       start = end + 1, end = text.find('\n', start)) {
    const std::string line = text.substr(start, end - start);
    EXPECT_FALSE(line.ends_with(' ')) << line;
    if (line.size() > 80) lines.push_back(line);
  }
  return lines;
}

TEST(HelpTextTest, FitsATerminalExceptForExamples) {
  for (const std::string& line : LongLines(HelpText()))
    EXPECT_THAT(line, ::testing::StartsWith("  heapprof "));
}

TEST(ShortHelpTest, LeavesALineOfAScreenForThePrompt) {
  EXPECT_LE(std::ranges::count(ShortHelp(), '\n'), 23);
}

TEST(HelpTextTest, ListsTheTopics) {
  EXPECT_THAT(HelpText(),
              HasSubstr("\n  recording            run a program so that its "
                        "dumps show what it held\n"));
}

TEST(HelpPageTest, FitsATerminal) {
  for (const std::string_view topic : HelpTopics())
    EXPECT_THAT(LongLines(*HelpPage(topic)), ::testing::IsEmpty()) << topic;
}

// The commands for which --help does not print the general help.
std::vector<CommandSpec> CommandsWithHelp() {
  std::vector<CommandSpec> commands(std::begin(kCommands), std::end(kCommands));
  std::erase_if(commands, [](const CommandSpec& command) {
    return command.command == Command::kReport ||
           command.command == Command::kHelp;
  });
  return commands;
}

TEST(HelpOfTest, BeginsWithTheUsage) {
  for (const CommandSpec& command : CommandsWithHelp())
    EXPECT_THAT(HelpOf(command), ::testing::ContainsRegex(
                                     "^heapprof [^\n]+\n\nusage: heapprof " +
                                     std::string(command.name) + " "));
}

TEST(HelpPageTest, IsReadInOneSitting) {
  for (const std::string_view topic : HelpTopics())
    EXPECT_LE(std::ranges::count(*HelpPage(topic), '\n'), 80) << topic;
  for (const CommandSpec& command : CommandsWithHelp())
    EXPECT_LE(std::ranges::count(HelpOf(command), '\n'), 80) << command.name;
}

TEST(HelpPageTest, ReplacesAllLinesInBraces) {
  EXPECT_THAT(*HelpPage("filters"), HasSubstr("\n  --focus RE           keep"));
  EXPECT_THAT(*HelpPage("jeprof"),
              HasSubstr("\n  --web                heapprof"));
  for (const std::string_view topic : HelpTopics())
    EXPECT_THAT(*HelpPage(topic), Not(HasSubstr("{options"))) << topic;
}

TEST(HelpPageTest, ListsAGroupOfOptionsWithoutAFile) {
  EXPECT_THAT(*HelpPage("metric"), ::testing::StartsWith("Metric (choose one"));
}

TEST(HelpPageTest, SaysOfAPartOfAGroupOnlyWhatIsTrueOfIt) {
  EXPECT_THAT(HelpOf(SpecOf(Command::kCheck)),
              HasSubstr("\nRows of tables and frames of stacks:\n"
                        "  --groups FILE"));
}

TEST(HelpPageTest, NamesTheTopicsIfThereIsNone) {
  const auto page = HelpPage("no such topic");
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(
      page.error().message,
      ::testing::StartsWith("no help on 'no such topic'; topics: recording, "
                            "languages, "));
}

TEST(HelpPageTest, ShowsThePageOfACommandThatIsNoTopic) {
  EXPECT_EQ(*HelpPage("doctor"), HelpOf(SpecOf(Command::kDoctor)));
}

TEST(HelpPageTest, ShowsThePageThatHasAnOption) {
  EXPECT_EQ(*HelpPage("show_bytes"), *HelpPage("tables"));
  EXPECT_EQ(*HelpPage("diff"), *HelpPage("comparison"));
  EXPECT_THAT(*HelpPage("base"), ::testing::HasSubstr("--base DUMP"));
}

TEST(HelpPageTest, GuessesWhatIsMeant) {
  EXPECT_EQ(HelpPage("recrod").error().message,
            "no help on 'recrod'; did you mean 'record'?");
  // Letters that changed places are one mistake.
  EXPECT_EQ(HelpPage("dupms").error().message,
            "no help on 'dupms'; did you mean 'dumps'?");
  EXPECT_EQ(HelpPage("container").error().message,
            "no help on 'container'; did you mean 'containers'?");
}

TEST(HelpPageTest, NamesTheTopicsThatMentionAWord) {
  EXPECT_EQ(HelpPage("Kubernetes").error().message,
            "no help on 'Kubernetes'; topics that mention it: containers");
  // Although 'doctor' is similar.
  EXPECT_THAT(HelpPage("docker").error().message,
              HasSubstr("topics that mention it: containers"));
  EXPECT_THAT(HelpPage("c++").error().message,
              HasSubstr("topics that mention it: languages, "));
  // Not as a part of another word.
  EXPECT_THAT(HelpPage("ubernete").error().message,
              Not(HasSubstr("mention it")));
}

const fs::path kRoot = fs::path(HEAPPROF_TESTDATA) / "..";

TEST(HelpFilesTest, AreAllListed) {
  std::set<std::string> listed;
  for (const HelpFile& file : HelpFiles())
    listed.insert(std::string(file.topic) + ".txt");
  std::set<std::string> found;
  for (const auto& file : fs::directory_iterator(kRoot / "src/cli/help"))
    found.insert(file.path().filename());
  EXPECT_EQ(listed, found);
}

// The words of `text` that look like options but are none of ours.
std::set<std::string> UnknownOptions(const std::string& text) {
  const std::set<std::string> others = {
      "aarch64",         "body-file", "create-if-none",  "edit-last",
      "color",           "countname", "enable-prof",     "preset",
      "install",         "prefix",    "build",           "full",
      "quick",           "log-level", "only-keep-debug", "opt",
      "perf-basic-prof", "batch",     "query",           "from",
      "image",           "target",    "profile",         "enable-prof-frameptr",
      "verify"};
  std::set<std::string> unknown;
  const std::regex option(R"((?:^|[ `'(\n|])--([a-z][\w-]*))");
  for (std::sregex_iterator it(text.begin(), text.end(), option), end;
       it != end; ++it) {
    std::string name = (*it)[1];
    if (others.contains(name)) continue;
    const auto is_name = [&name](const OptionSpec& spec) {
      return spec.name == name || (spec.kind == OptionKind::kSwitch &&
                                   name == "no-" + std::string(spec.name));
    };
    if (std::ranges::none_of(OptionTable(), is_name)) unknown.insert(name);
  }
  return unknown;
}

TEST(ManualTest, NamesOnlyOptionsThatExist) {
  EXPECT_THAT(UnknownOptions("`--focu`, --text --no-cache"),
              ::testing::ElementsAre("focu"));
  for (const std::string_view topic : HelpTopics())
    EXPECT_THAT(UnknownOptions(*HelpPage(topic)), ::testing::IsEmpty())
        << topic;
  std::ifstream readme(kRoot / "README.md");
  const std::string text(std::istreambuf_iterator<char>(readme), {});
  EXPECT_THAT(text, HasSubstr("heapprof"));
  // A word that is cut, as an example of what may be shortened.
  EXPECT_THAT(UnknownOptions(text), ::testing::IsSubsetOf({"collapse"}));
}

TEST(VersionTextTest, NamesTheProgramAndItsVersion) {
  EXPECT_THAT(VersionText(), ::testing::MatchesRegex(
                                 "heapprof [0-9]+\\.[0-9]+\\.[0-9]+\n(.+\n)?"
                                 "elfutils [0-9.]+, (.|\n)*\n"));
}

}  // namespace
}  // namespace heapprof
