// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/shared_variance.h"

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr Metric kMetric = Metric::kInuseSpace;

class SharedSeedsTest : public testing::Test {
 protected:
  SharedSeedsTest() {
    profile_.threads.resize(10);
    profile_.stacks.resize(10);
    profile_.thread_stacks = {1, 1};
  }

  void Add(uint32_t thread, uint32_t stack, double variance,
           Side side = Side::kNew, uint16_t run = 0) {
    Sample sample = {.stack = {stack}, .thread = {thread}, .side = side};
    sample.run = run;
    sample.values[kMetric] = {.value = 1, .variance = variance};
    profile_.thread_samples.push_back(sample);
  }

  // "side.run entry +variance" for each sum by stack.
  std::vector<std::string> ByStack() const {
    return Texts(SharedSeeds(profile_).Of(
        profile_.samples, kMetric, 10,
        [](const Sample& sample, std::vector<uint32_t>& entries) {
          entries.push_back(sample.stack.value);
          entries.push_back(sample.stack.value);  // counts once
        }));
  }

  std::vector<std::string> OfTotal() const {
    return Texts(
        SharedSeeds(profile_).Of(profile_.samples, kMetric, 1, AllInOneEntry));
  }

  static std::vector<std::string> Texts(
      const std::vector<SharedVariance>& found) {
    std::vector<std::string> texts;
    for (const auto& [entry, side, run, variance] : found)
      texts.push_back(fmt::format("{}.{} {} +{}", static_cast<int>(side), run,
                                  entry, variance));
    return texts;
  }

  Profile profile_;
};

TEST_F(SharedSeedsTest, AddsUpTheThreadsOfEachEntry) {
  for (uint32_t thread = 1; thread <= 5; ++thread) Add(thread, 7, 2);
  Add(1, 8, 5);
  Add(1, 8, 4);
  Add(2, 8, 7);
  Add(3, 9, 9);
  // Four of the five threads may have used the stack. Six pairs have stack 7,
  // one has stack 8.
  EXPECT_THAT(ByStack(), UnorderedElementsAre("0.0 7 +24", "0.0 8 +14"));
}

TEST_F(SharedSeedsTest, ComparesThreadsByAllThatTheyHaveOfAnEntry) {
  // No stack is in two threads, but all are parts of the total.
  for (uint32_t i = 1; i <= 4; ++i) Add(i, i, 2);
  EXPECT_THAT(ByStack(), IsEmpty());
  EXPECT_THAT(OfTotal(), ElementsAre("0.0 0 +12"));
}

TEST_F(SharedSeedsTest, DiffersBySideAndRun) {
  const InputRun run = {.sampling_period = 9, .thread_stacks = 1};
  profile_.runs = {std::vector{run, run}, std::vector{run}};
  for (uint32_t thread = 1; thread <= 3; ++thread) {
    Add(thread, 7, 1, Side::kNew, 1);
    Add(thread, 7, 3, Side::kBase);
  }
  Add(1, 7, 5);  // a run with one thread
  EXPECT_THAT(ByStack(), UnorderedElementsAre("0.1 7 +2", "1.0 7 +6"));
}

TEST_F(SharedSeedsTest, CountsThreadsThatFiltersRemoved) {
  Add(1, 7, 2);
  Add(2, 7, 2);
  EXPECT_THAT(ByStack(), IsEmpty());
  EXPECT_FALSE(SharedSeeds(profile_).IsPossible(Side::kNew));
  Add(3, 8, 2);
  profile_.filtered_thread_samples.push_back(profile_.thread_samples.back());
  profile_.thread_samples.pop_back();
  EXPECT_THAT(ByStack(), ElementsAre("0.0 7 +4"));
  profile_.filtered_thread_samples.clear();
  profile_.runs.now = {{.thread_stacks = 1, .dropped_threads = 1}};
  EXPECT_THAT(ByStack(), ElementsAre("0.0 7 +4"));
}

TEST_F(SharedSeedsTest, ThreadsOfWhichEverythingWasSampledShareNoErrors) {
  for (uint32_t thread = 1; thread <= 3; ++thread) Add(thread, 7, 0);
  EXPECT_TRUE(SharedSeeds(profile_).IsPossible());
  profile_.sampling_period = 1;
  EXPECT_FALSE(SharedSeeds(profile_).IsPossible());
}

TEST_F(SharedSeedsTest, TakesSamplesOfThreadsAsTheyAre) {
  for (uint32_t thread = 1; thread <= 3; ++thread) Add(thread, 7, 2);
  const std::vector<Sample> two = {profile_.thread_samples[0],
                                   profile_.thread_samples[1]};
  EXPECT_THAT(Texts(SharedSeeds(profile_).Of(two, kMetric, 1, AllInOneEntry)),
              ElementsAre("0.0 0 +4"));
}

}  // namespace
}  // namespace heapprof
