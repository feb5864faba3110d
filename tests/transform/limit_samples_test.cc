// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/limit_samples.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/check_valid.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Limited(const std::string& text, size_t limit) {
  Profile profile = ProfileOf(text);
  LimitSamples(profile, Metric::kInuseSpace, limit);
  EXPECT_EQ(CheckValid(profile), "");
  return StacksOf(profile);
}

TEST(LimitSamplesTest, KeepsAProfileThatIsSmallEnough) {
  Profile profile = ProfileOf("main;f 5\nmain;g 1\nmain;h 0\n");
  const LimitedSamples limited = LimitSamples(profile, Metric::kInuseSpace, 2);
  EXPECT_EQ(limited.samples, 0u);
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;f 5", "main;g 1"));
}

TEST(LimitSamplesTest, JoinsWhatSmallStacksDoNotShareWithLargeOnes) {
  const std::string text = "main;a;b 50\nmain;a;c;d 3\nmain;a;e 2\nmain;f 1\n";
  EXPECT_THAT(Limited(text, 3),
              ElementsAre("main;a;[small stacks] 2", "main;a;[small stacks] 3",
                          "main;a;b 50", "main;f 1"));
  EXPECT_THAT(Limited(text, 2),
              ElementsAre("main;a;[small stacks] 2", "main;a;[small stacks] 3",
                          "main;a;[small stacks] 50", "main;f 1"));
  EXPECT_THAT(Limited(text, 1),
              ElementsAre("main;[small stacks] 1", "main;[small stacks] 2",
                          "main;[small stacks] 3", "main;[small stacks] 50"));
}

TEST(LimitSamplesTest, TellsStacksThatEndFromThoseThatGoOn) {
  EXPECT_THAT(Limited("main 7\nmain;f 5\nmain;f;g 1\n", 2),
              ElementsAre("main 7", "main;f;[small stacks] 1",
                          "main;f;[small stacks] 5"));
}

TEST(LimitSamplesTest, CountsStacksWithEqualFramesOnce) {
  EXPECT_THAT(Limited("main;f 7\nmain;g 5\nmain;f 7\n", 2),
              ElementsAre("main;f 7", "main;f 7", "main;g 5"));
}

TEST(LimitSamplesTest, NeverJoinsTheSides) {
  Profile profile = ProfileOf("main;f 7\nmain;g 5\nmain;f 7\nmain;h 2\n");
  profile.samples[2].side = Side::kBase;
  profile.samples[3].side = Side::kBase;
  const LimitedSamples limited = LimitSamples(profile, Metric::kInuseSpace, 1);
  EXPECT_EQ(limited.samples, 4u);
  EXPECT_EQ(limited.value, 21);
  EXPECT_NE(profile.samples[1].stack, profile.samples[2].stack);
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("main;[small stacks] 2", "main;[small stacks] 5",
                          "main;[small stacks] 7", "main;[small stacks] 7"));
}

TEST(LimitSamplesTest, NeverJoinsThreadsOrLifetimes) {
  Profile profile = ProfileOf("main;f 7\nmain;g 5\nmain;h 2\n");
  profile.threads.resize(2);
  profile.samples[0].lifetime = Lifetime::kLive;
  profile.samples[1].thread = {1};
  LimitSamples(profile, Metric::kInuseSpace, 1);
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("main;f 7", "main;g 5", "main;h 2"));
}

// Whatever the limit: no more distinct stacks, and the same value below every
// function that is left.
TEST(LimitSamplesTest, StaysWithinAnyLimitAndKeepsTheSum) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += fmt::format("main;a{};b{};c{};d{} {}\n", i % 3, i % 7, i % 11, i,
                        1 + i * i % 97);
  double all = 0;
  for (const Sample& sample : ProfileOf(text).samples)
    all += sample.values[Metric::kInuseSpace].value;
  for (size_t limit = 1; limit <= 201; ++limit) {
    Profile profile = ProfileOf(text);
    LimitSamples(profile, Metric::kInuseSpace, limit);
    std::vector<StackId> stacks;
    double sum = 0;
    for (const Sample& sample : profile.samples) {
      stacks.push_back(sample.stack);
      sum += sample.values[Metric::kInuseSpace].value;
    }
    std::ranges::sort(stacks);
    const auto repeated = std::ranges::unique(stacks);
    stacks.erase(repeated.begin(), repeated.end());
    EXPECT_EQ(stacks.size(), std::min<size_t>(limit, 200));
    EXPECT_EQ(sum, all);
  }
}

}  // namespace
}  // namespace heapprof
