// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/call_costs.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

CallCosts CostsOf(const Profile& profile) {
  return MakeCallCosts(profile, Metric::kInuseSpace, NameForm::kShort);
}

// "function:line value"
std::vector<std::string> Selves(const CallCosts& costs) {
  std::vector<std::string> texts;
  for (const SelfCost& cost : costs.selves)
    texts.push_back(fmt::format("{}:{} {}", costs.functions[cost.function].name,
                                cost.line, cost.value));
  return texts;
}

// "caller:line -> callee value in stacks"
std::vector<std::string> Calls(const CallCosts& costs) {
  std::vector<std::string> texts;
  for (const CallCost& cost : costs.calls)
    texts.push_back(fmt::format(
        "{}:{} -> {} {} in {}", costs.functions[cost.caller].name, cost.line,
        costs.functions[cost.callee].name, cost.value, cost.stacks));
  return texts;
}

TEST(CallCostsTest, AddsUpLinesAndCalls) {
  const CallCosts costs =
      CostsOf(ProfileOf("main;f|g 5\nmain;f|g;h 20\nmain;h 100\n"));
  EXPECT_EQ(costs.total, 125);
  EXPECT_THAT(Selves(costs), ElementsAre("g (inline):0 5", "h:0 120"));
  EXPECT_THAT(
      Calls(costs),
      ElementsAre("f:0 -> g (inline) 25 in 2", "g (inline):0 -> h 20 in 1",
                  "main:0 -> f 25 in 2", "main:0 -> h 100 in 1"));
}

TEST(CallCostsTest, TellsLinesAndFilesApart) {
  Profile profile = ProfileOf("app!main;lib!f 5\nlib!main;lib!f 7\n");
  uint32_t line = 10;
  for (Line& row : profile.lines) row.line = ++line;
  profile.functions[1].filename = profile.strings.Intern("a.cc");
  profile.functions[1].start_line = 3;
  const CallCosts costs = CostsOf(profile);
  ASSERT_EQ(costs.functions.size(), 3u);
  std::vector<std::string> functions;
  for (const CostFunction& f : costs.functions)
    functions.push_back(
        fmt::format("{} {} {} {}", f.object, f.file, f.name, f.start_line));
  EXPECT_THAT(functions, UnorderedElementsAre("app  main 0", "lib  main 0",
                                              "lib a.cc f 3"));
  EXPECT_THAT(Selves(costs), ElementsAre("f:11 12"));
  EXPECT_THAT(Calls(costs), UnorderedElementsAre("main:12 -> f 5 in 1",
                                                 "main:13 -> f 7 in 1"));
}

TEST(CallCostsTest, CountsTheOutermostCallOfARecursiveFunction) {
  EXPECT_THAT(Calls(CostsOf(ProfileOf("main;f;f;g;f;g 8\n"))),
              ElementsAre("f:0 -> g 8 in 1", "main:0 -> f 8 in 1"));
}

TEST(CallCostsTest, LetsRootCallFunctionsThatAreCalledElsewhere) {
  EXPECT_THAT(Calls(CostsOf(ProfileOf("f;g 8\nmain;f;g 4\nf 2\n"))),
              ElementsAre("[root]:0 -> f 10 in 2", "f:0 -> g 12 in 2",
                          "main:0 -> f 4 in 1"));
}

// Else the two costs of f would add up to 16.
TEST(CallCostsTest, LetsRootCallFunctionsWhoseCostsCountAStackTwice) {
  EXPECT_THAT(Calls(CostsOf(ProfileOf("f;g;f;h 8\nf;g 1\n"))),
              ElementsAre("[root]:0 -> f 9 in 2", "f:0 -> g 9 in 2",
                          "f:0 -> h 8 in 1"));
  EXPECT_THAT(Calls(CostsOf(ProfileOf("f;g;f 8\n"))),
              ElementsAre("[root]:0 -> f 8 in 1", "f:0 -> g 8 in 1"));
  EXPECT_THAT(Calls(CostsOf(ProfileOf("f;f;g 8\n"))),
              ElementsAre("f:0 -> g 8 in 1"));
}

TEST(CallCostsTest, LeavesOutDecreases) {
  const CallCosts costs = CostsOf(ProfileOf("main;f -50\nmain;g 20.9\n"));
  EXPECT_EQ(costs.total, 20);
  EXPECT_EQ(costs.shrunk, 50);
  EXPECT_THAT(Calls(costs), ElementsAre("main:0 -> g 20 in 1"));
  EXPECT_THAT(CostsOf(Profile()).calls, IsEmpty());
}

TEST(CallCostsTest, LosesNoFractionsOfManySmallStacks) {
  const CallCosts costs =
      CostsOf(ProfileOf("main;f 0.5\nmain;g 0.75\nmain;h 0.5\nmain;f 2.5\n"));
  EXPECT_EQ(costs.total, 4);
  EXPECT_THAT(Selves(costs), ElementsAre("f:0 3", "g:0 1"));
}

TEST(CallCostsTest, AddsUpNoMoreThanANumberHolds) {
  const CallCosts costs = CostsOf(ProfileOf("main;f 9e18\nmain;g 9e18\n"));
  EXPECT_GE(costs.total, int64_t{9'000'000'000'000'000'000});
  EXPECT_THAT(Calls(costs), SizeIs(2));
}

TEST(CallCostsTest, CountsNoGrowthThatAnEqualStackLost) {
  Profile profile = ProfileOf("main%a.cc:3;f 8\nmain%a.cc:3;f 5\n");
  ASSERT_NE(profile.samples[0].stack, profile.samples[1].stack);
  AddBase(0, {2, 0}, profile);
  AddBase(1, {9, 0}, profile);
  EXPECT_EQ(CostsOf(profile).total, 2);
  EXPECT_EQ(CostsOf(profile).shrunk, 0);
}

}  // namespace
}  // namespace heapprof
