// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/limit_inlined_calls.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/check_valid.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

// A stack that consists of `repetitions` of one address. The address has the
// inlined calls f1, f2, …; f0 contains the code.
Profile WithCalls(size_t calls, size_t repetitions) {
  std::string text = "main;f0";
  for (size_t i = 1; i < calls; ++i) text += "|f" + std::to_string(i);
  Profile profile = ProfileOf(text + " 1\n");
  ProfileBuilder builder(std::move(profile));
  const LocationId repeated = builder.profile().StackFrames(StackId{1})[0];
  const StackId stack =
      builder.AddStack(std::vector<LocationId>(repetitions, repeated));
  builder.profile().samples[0].stack = stack;
  return std::move(builder).Finish();
}

TEST(LimitInlinedCallsTest, KeepsTheCallsOfRealPrograms) {
  Profile profile = WithCalls(60, 60);
  const std::vector<std::string> stacks = StacksOf(profile);
  EXPECT_FALSE(LimitInlinedCalls(profile));
  EXPECT_EQ(StacksOf(profile), stacks);
}

TEST(LimitInlinedCallsTest, KeepsManyCallsOfAnAddressThatIsRare) {
  Profile profile = WithCalls(20'000, 50);
  EXPECT_FALSE(LimitInlinedCalls(profile));
  const LocationId repeated = profile.StackFrames(profile.samples[0].stack)[0];
  EXPECT_EQ(profile.LocationLines(profile.locations[repeated.index()]).size(),
            20'000u);
}

TEST(LimitInlinedCallsTest, LeavesTheInnermostCallsAndTheFunctionOfTheCode) {
  Profile profile = WithCalls(20'000, 60'000);
  const auto limited = LimitInlinedCalls(profile);
  ASSERT_TRUE(limited);
  EXPECT_EQ(limited->locations, 1u);
  EXPECT_EQ(limited->kept, 39u);
  EXPECT_EQ(CheckValid(profile), "");
  const auto lines = profile.LocationLines(
      profile
          .locations[profile.StackFrames(profile.samples[0].stack)[0].index()]);
  const auto name = [&](size_t i) {
    return profile.String(profile.functions[lines[i].function.index()].name);
  };
  ASSERT_EQ(lines.size(), limited->kept);
  EXPECT_EQ(name(0), "f19999");
  EXPECT_EQ(name(limited->kept - 2), "f19962");
  EXPECT_EQ(name(limited->kept - 1), "f0");
}

TEST(LimitInlinedCallsTest, CountsAllStacks) {
  Profile profile = WithCalls(1'000, 50'000);
  EXPECT_TRUE(LimitInlinedCalls(profile));
  EXPECT_FALSE(LimitInlinedCalls(profile)) << "a second time";
}

}  // namespace
}  // namespace heapprof
