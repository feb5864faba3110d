// SPDX-License-Identifier: Apache-2.0
#include "parse/folded_parser.h"

#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/parse/parse_profile.h"
#include "parse/parse_testing.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "main|f 5" for each sample, root first; "main|f -5 base" on the base side.
std::vector<std::string> StacksOf(const Profile& profile,
                                  Metric metric = Metric::kInuseSpace) {
  std::vector<std::string> texts;
  for (const Sample& sample : profile.samples) {
    std::vector<std::string_view> names;
    for (const LocationId frame :
         profile.StackFrames(sample.stack) | std::views::reverse)
      for (const Line& line :
           profile.LocationLines(profile.locations[frame.index()]))
        names.push_back(
            profile.String(profile.functions[line.function.index()].name));
    texts.push_back(fmt::format("{} {}{}", fmt::join(names, "|"),
                                Value(sample, metric),
                                sample.side == Side::kBase ? " base" : ""));
  }
  return texts;
}

std::vector<std::string> StacksIn(std::string_view text) {
  const Parsed file = ParseText(text);
  EXPECT_THAT(file.warnings, IsEmpty());
  return StacksOf(file.profile);
}

TEST(FoldedParserTest, ReadsStacksRootFirst) {
  EXPECT_THAT(StacksIn("main;ns::f(int, char);operator new[] 4096\n"
                       "main;ns::f(int, char) 7\n"
                       "main 1"),
              ElementsAre("main|ns::f(int, char)|operator new[] 4096",
                          "main|ns::f(int, char) 7", "main 1"));
}

TEST(FoldedParserTest, ReadsFramesThatTheLineBeforeBeginsWith) {
  EXPECT_THAT(StacksIn("a;bc 1\na;b 2\na;bc;d 3\na;bc 4\na 5\nab 6\na;a 7\n"),
              ElementsAre("a|bc 1", "a|b 2", "a|bc|d 3", "a|bc 4", "a 5",
                          "ab 6", "a|a 7"));
}

TEST(FoldedParserTest, ReadsWhatEnginesWrite) {
  EXPECT_THAT(StacksIn("a;b\t12\r\na;b 1.5e+06 \n\n  \na;c -3\na;d 0.25\n"),
              ElementsAre("a|b 12", "a|b 1500000", "a|c -3", "a|d 0.25"));
  // As in flamegraph.pl.
  EXPECT_THAT(StacksIn(" a; b  5\n"), ElementsAre(" a| b  5"));
}

TEST(FoldedParserTest, NamesEmptyFramesAndLeavesOutZeros) {
  EXPECT_THAT(StacksIn("a;;b 1\n;a; 2\na 0\n"),
              ElementsAre("a|??|b 1", "??|a|?? 2"));
}

TEST(FoldedParserTest, TellsAddressesFromNames) {
  const Profile profile =
      ParseText("main;0x00007f01;libc.so.6+0x12 1\n").profile;
  std::vector<bool> unresolved;
  for (const Function& function : profile.functions)
    unresolved.push_back(function.unresolved);
  EXPECT_THAT(unresolved, ElementsAre(false, false, true, true));
}

TEST(FoldedParserTest, GivesEqualStacksAndFramesOneRow) {
  const Parsed file = ParseText("a;b;a 1\nc 2\na;b;a 3\n");
  EXPECT_EQ(file.profile.locations.size(), 4u);
  EXPECT_EQ(file.profile.functions.size(), 4u);
  EXPECT_EQ(file.profile.samples[0].stack, file.profile.samples[2].stack);
}

TEST(FoldedParserTest, ReadsTheBaseFromTheFirstOfTwoColumns) {
  EXPECT_THAT(StacksIn("a;b 1 2\na;c 0 5\na;d 7 0\n"),
              ElementsAre("a|b 2", "a|b 1 base", "a|c 5", "a|d 7 base"));
}

TEST(FoldedParserTest, TakesNumbersForPartsOfNamesUnlessAllLinesHaveThem) {
  EXPECT_THAT(StacksIn("a;worker 1 20\na;b 30\n"),
              ElementsAre("a|worker 1 20", "a|b 30"));
  EXPECT_THAT(StacksIn("12 5\n"), ElementsAre("12 5"));
  // The last line is cut off.
  const Parsed cut = ParseText("a 1 2\nb 3 4\nc 5");
  EXPECT_THAT(StacksOf(cut.profile),
              ElementsAre("a 2", "a 1 base", "b 4", "b 3 base"));
  EXPECT_THAT(cut.warnings,
              ElementsAre(HasSubstr("a.heap:3: expected 'frame;frame NUMBER "
                                    "NUMBER'")));
}

TEST(FoldedParserTest, LeavesOutLinesWithoutAValue) {
  const std::string good(4096, 'x');
  for (const std::string_view bad :
       {"a;b", "5", " 5", "a;b 0x10", "a;b inf", "a;b nan", "a;b -", "a;b 1e99",
        "a;b 9223372036854775808", "a;b 5k", "a;b .5", "a;b +5"}) {
    const Parsed file = ParseText(fmt::format("{} 1\n{}\nc 2\n", good, bad));
    EXPECT_THAT(StacksOf(file.profile), ElementsAre(good + " 1", "c 2")) << bad;
    EXPECT_THAT(file.warnings,
                ElementsAre(fmt::format(
                    "a.heap:2: expected 'frame;frame NUMBER' of at most "
                    "1048576 bytes, found '{}'; the line is ignored",
                    bad)));
  }
}

// As Austin writes them.
TEST(FoldedParserTest, LeavesOutComments) {
  EXPECT_THAT(StacksIn("# austin: 3.4.1\n# interval: 100\n\nmain;f 5\n"
                       "main;g 7\n# duration: 2000\n"),
              ElementsAre("main|f 5", "main|g 7"));
  EXPECT_THAT(StacksIn("# interval: 100\nmain;f 5 8\n"),
              ElementsAre("main|f 8", "main|f 5 base"));
  // Names that Ruby gives to classes.
  EXPECT_THAT(StacksIn("#<Class:Store>;put 5\n# a;f 7\n"),
              ElementsAre("#<Class:Store>|put 5", "# a|f 7"));
}

TEST(FoldedParserTest, LeavesOutAByteOrderMark) {
  Diagnostics diagnostics;
  const auto profile = ParseProfile("\xEF\xBB\xBFmain;f 5\r\nmain;g 7\r\n",
                                    "a.folded", diagnostics);
  ASSERT_TRUE(profile);
  EXPECT_THAT(StacksOf(*profile), ElementsAre("main|f 5", "main|g 7"));
}

TEST(FoldedParserTest, LeavesOutStacksThatAreTooLong) {
  const std::string longest(size_t{1} << 20, ';');
  EXPECT_THAT(ParseText("a 1\n" + longest + " 1\n").warnings, IsEmpty());
  const Parsed file = ParseText("a 1\n" + longest + "; 1\n");
  EXPECT_EQ(file.warnings.size(), 1u);
  EXPECT_THAT(StacksOf(file.profile), ElementsAre("a 1"));
}

TEST(FoldedParserTest, TakesValuesForExactBytes) {
  const Profile profile = ParseText("a;b 4096\n").profile;
  EXPECT_EQ(profile.sampling_period, 1u);
  EXPECT_TRUE(profile.is_symbolized);
  EXPECT_TRUE(profile.has_inuse);
  EXPECT_FALSE(profile.has_accumulated);
  EXPECT_FALSE(profile.has_object_counts);
}

TEST(FoldedParserTest, TakesValuesForTheChosenMetric) {
  const Profile objects =
      ParseText("a;b 3\n", {.metric = Metric::kAllocObjects}).profile;
  EXPECT_THAT(StacksOf(objects, Metric::kAllocObjects), ElementsAre("a|b 3"));
  EXPECT_FALSE(objects.has_inuse);
  EXPECT_TRUE(objects.has_accumulated);
  EXPECT_TRUE(objects.has_object_counts);
}

// An estimate whose objects are not known has at most the variance of as many
// samples as its periods.
TEST(FoldedParserTest, TakesValuesForEstimatesIfAPeriodIsGiven) {
  const Profile profile =
      ParseText("a;b 4096\n", {.sample_period = 512}).profile;
  EXPECT_EQ(profile.sampling_period, 512u);
  EXPECT_EQ(profile.samples[0].values[Metric::kInuseSpace].variance,
            4096 * 512);
}

TEST(FoldedParserTest, DoesNotKnowAges) {
  Diagnostics diagnostics;
  EXPECT_FALSE(ParseProfile("a;b 1\n", "a.heap", diagnostics, {.min_age = 1}));
}

TEST(LooksFoldedTest, IfEachOfTheFirstLinesHasAValue) {
  for (const std::string_view text :
       {"main 5", "main;f 5\n", "a;b 5\nmain;f no", "{closure};f 5\n",
        "a b\t1\t2\n", "\n\na 1\n", "a 1\n\nb 2\n", "# mode: memory\na 1\n"})
    EXPECT_TRUE(LooksFolded(text)) << text;
  for (const std::string_view text :
       {"", "\n", "5\n", "main;f", "main;f 5\nno\n", "a\1 5\n", "{\"a\": 5}\n",
        "7f00-7f10 rw-p 00000000 00:00 0\n", "#!/bin/sh\nexit 1\n", "# 5\n"})
    EXPECT_FALSE(LooksFolded(text)) << text;
}

// A name of C++ can be longer than the part of a file that is looked at.
TEST(LooksFoldedTest, IfTheFirstLineIsCutInAName) {
  const std::string name(5000, 'x');
  EXPECT_TRUE(LooksFolded("main;" + name));
  EXPECT_FALSE(LooksFolded(name));
  EXPECT_TRUE(LooksFolded("a 1\n" + name));
}

}  // namespace
}  // namespace heapprof
