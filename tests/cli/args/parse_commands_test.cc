// SPDX-License-Identifier: Apache-2.0
//
// The commands of a command line, and which options and files they take.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/args/parsed_args.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ParseArgsTest, SortsTheFilesOfACheckBySide) {
  const Options plain =
      Parsed({"check", "--max-total=1", "--base", "old", "bin", "now"});
  EXPECT_EQ(plain.command, Command::kCheck);
  EXPECT_THAT(plain.bases, ElementsAre("old"));
  EXPECT_THAT(plain.files, ElementsAre("bin", "now"));
  const Options runs = Parsed({"check", "bin", "--base", "a", "b", "--new", "c",
                               "d", "--max-new", "1MiB", "e", "--base=f", "g"});
  EXPECT_THAT(runs.bases, ElementsAre("a", "f", "b", "g"));
  EXPECT_THAT(runs.files, ElementsAre("bin", "e", "c", "d"));
  EXPECT_EQ(Parsed({"./check", "--base", "a", "b"}).command, Command::kReport);
}

TEST(ParseArgsTest, SortsTheFilesOfAComparisonBySide) {
  const Options runs = Parsed({"bin", "--base", "a", "b", "--new", "c", "d"});
  EXPECT_THAT(runs.bases, ElementsAre("a", "b"));
  EXPECT_THAT(runs.files, ElementsAre("bin", "c", "d"));
  const Options plain = Parsed({"--base", "a", "b", "c"});
  EXPECT_THAT(plain.bases, ElementsAre("a"));
  EXPECT_THAT(plain.files, ElementsAre("b", "c"));
  EXPECT_EQ(ErrorIn({"--new", "a"}), "--new needs a --base to compare with");
  EXPECT_THAT(ErrorIn({"--each", "-o", "{name}.txt", "--base=a", "--new", "b"}),
              HasSubstr("--new does not work with --each"));
  EXPECT_EQ(ErrorIn({"explain", "--base", "a", "--new", "b"}),
            "--new does not work with 'heapprof explain'");
  EXPECT_EQ(ErrorIn({"info", "--new", "a"}),
            "info takes one dump, and no --base");
}

TEST(ParseArgsTest, KeepsTheOptionsOfCheckApart) {
  EXPECT_EQ(ErrorIn({"check", "--json", "a"}),
            "--json does not work with 'heapprof check'; use --format json");
  EXPECT_EQ(ErrorIn({"--format=json", "a"}),
            "--format works only with 'heapprof check'; use --json");
  EXPECT_EQ(ErrorIn({"trend", "--format=markdown", "a"}),
            "--format works only with 'heapprof check'");
  EXPECT_EQ(ErrorIn({"index", "--no-cache", "a"}),
            "--no-cache does not work with 'heapprof index'");
  EXPECT_THAT(ErrorIn({"--max-new=1B", "a"}),
              HasSubstr("--max-new works only with 'heapprof check'"));
  EXPECT_EQ(ErrorIn({"--by=file", "a"}),
            "--by works only with 'heapprof check' and 'heapprof trend'");
  EXPECT_EQ(ErrorIn({"--quiet", "trend", "--by=file", "a"}),
            "trend: not a file; the command comes before its options: heapprof "
            "trend ...");
  EXPECT_THAT(
      ErrorIn({"check", "--max-new=1 Mb", "a"}),
      HasSubstr("--max-new: expected a size such as 512MiB or 4GiB, found"));
  EXPECT_THAT(ErrorIn({"check", "--confidence=1", "a"}),
              HasSubstr("--confidence: expected a number from 0.5"));
  EXPECT_THAT(ErrorIn({"check", "--metric=inuse_space", "--alloc_space", "a"}),
              HasSubstr("more than one metric"));
  EXPECT_EQ(Parsed({"check", "a"}).filters.options().own, "auto");
  EXPECT_EQ(Parsed({"check", "--own=x", "a"}).filters.options().own, "x");
}

TEST(ParseArgsTest, TreatsInfoAsACommandOnlyIfItComesFirst) {
  const Options info = Parsed({"info", "--symbol-path=/s", "app", "d.heap"});
  EXPECT_EQ(info.command, Command::kInfo);
  EXPECT_EQ(info.outputs.front().format, OutputNamed("text"));
  EXPECT_THAT(info.files, ElementsAre("app", "d.heap"));
  for (const Args& args : {Args{"./info", "d"},
                           {"d", "info"},
                           {"--text", "info"},
                           {"INFO", "d"},
                           {"inf", "d"},
                           {"--", "info"}})
    EXPECT_EQ(Parsed(args).command, Command::kReport) << args.front();
}

TEST(ParseArgsTest, WritesInfoAsJsonByOptionOrExtension) {
  const OutputFormat* kText = OutputNamed("text");
  const OutputFormat* kJson = OutputNamed("json");
  for (const auto& [args, output] :
       {std::pair(Args{"info", "--json", "d"}, Output{kJson, ""}),
        {Args{"info", "-o", "x.json", "d"}, Output{kJson, "x.json"}},
        {Args{"info", "--json", "-o", "x.txt", "d"}, Output{kJson, "x.txt"}},
        {Args{"info", "--text", "-o", "x.json", "d"}, Output{kText, "x.json"}},
        {Args{"info", "-o", "x", "d"}, Output{kText, "x"}}})
    EXPECT_THAT(Parsed(args).outputs, ElementsAre(output));
}

TEST(ParseArgsTest, RefusesOptionsThatDoNotFitTheCommand) {
  const char* kOutputs = "info writes text, or JSON with --json";
  EXPECT_EQ(ErrorIn({"info", "--collapsed", "d"}), kOutputs);
  EXPECT_EQ(ErrorIn({"info", "--proto", "d"}), kOutputs);
  EXPECT_EQ(ErrorIn({"info", "-o", "x.svg", "d"}),
            "-o x.svg: info writes .txt and .json");
  EXPECT_EQ(ErrorIn({"info", "--base=a", "d"}),
            "info takes one dump, and no --base");
  EXPECT_EQ(ErrorIn({"--json", "--collapsed", "d"}).substr(0, 20),
            "more than one output");
  EXPECT_TRUE(
      ErrorIn({"--json", "--callers=a", "--callees=b", "d"})
          .starts_with("more than one output: --json, --callers, --callees;"));
}

TEST(OptionsTest, TreatsCacheAsACommandOnlyIfItComesFirst) {
  const Options list = Parsed({"cache"});
  EXPECT_EQ(list.command, Command::kCache);
  EXPECT_EQ(list.cache_action, CacheAction::kList);
  EXPECT_EQ(Parsed({"cache", "list"}).cache_action, CacheAction::kList);
  EXPECT_EQ(Parsed({"cache", "clear"}).cache_action, CacheAction::kClear);
  const Options prune = Parsed({"cache", "--cache-dir=/c", "prune"});
  EXPECT_EQ(prune.cache_action, CacheAction::kPrune);
  EXPECT_EQ(prune.cache_directory, "/c");
  for (const Args& args :
       {Args{"./cache", "d"}, {"d", "cache"}, {"--", "cache"}})
    EXPECT_EQ(Parsed(args).command, Command::kReport);
  EXPECT_EQ(ErrorIn({"cache", "shrink"}),
            "cache: expected list, prune or clear, found 'shrink'");
  EXPECT_EQ(ErrorIn({"cache", "list", "clear"}),
            "cache: expected list, prune or clear, found 'list clear'");
}

TEST(ParseCompletionTest, NamesTheShellThatItDoesNotKnow) {
  EXPECT_EQ(Parsed({"completion", "zsh"}).shell, "zsh");
  EXPECT_EQ(ErrorIn({"completion", "tcsh"}),
            "completion: expected bash, zsh or fish, found 'tcsh'");
  EXPECT_EQ(ErrorIn({"completion"}),
            "completion: expected bash, zsh or fish, found nothing");
}

TEST(ShortHelpTest, IsAskedForAnywhere) {
  for (const Args& args :
       {Args{"-h"}, {"a.heap", "-h"}, {"-h", "--top=3", "a.heap"}})
    EXPECT_TRUE(Parsed(args).is_help_short) << args.back();
  EXPECT_FALSE(Parsed({"--help"}).is_help_short);
  EXPECT_TRUE(Parsed({"check", "--base", "dump", "-h"}).show_help);
  EXPECT_FALSE(Parsed({"record", "./server", "-h"}).show_help);
  EXPECT_FALSE(Parsed({"--focus", "-h", "dump"}).show_help);
  EXPECT_FALSE(Parsed({"--", "-h"}).show_help);
}

TEST(HelpTopicTest, FollowsTheWordHelpOrALoneSwitch) {
  const Options command = Parsed({"help", "filters"});
  EXPECT_EQ(command.command, Command::kHelp);
  EXPECT_EQ(command.help_topic, "filters");
  EXPECT_EQ(Parsed({"help"}).help_topic, "");
  EXPECT_EQ(Parsed({"--help", "filters"}).help_topic, "filters");
  EXPECT_EQ(Parsed({"filters", "-HEL"}).help_topic, "filters");
  EXPECT_TRUE(Parsed({"--help", "filters"}).show_help);
  for (const Args& args : {Args{"--help", "bin", "dump"},
                           {"--help", "--text", "dump"},
                           {"--help"},
                           {"./help", "dump"}})
    EXPECT_EQ(Parsed(args).help_topic, "") << args.back();
  EXPECT_EQ(ErrorIn({"help", "a", "b"}),
            "help: expected one topic, found 'a b'");
}

}  // namespace
}  // namespace heapprof
