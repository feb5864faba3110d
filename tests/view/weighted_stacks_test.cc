// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/weighted_stacks.h"

#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/view/metric_words.h"
#include "support/comparison.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// "main;f 5" for each stack of a series.
std::vector<std::string> StacksOf(const WeightedStacks& made,
                                  const StackSeries& series) {
  std::vector<std::string> texts;
  for (const auto& [stack, weight] : series.stacks) {
    const auto [first, count] = made.stacks[stack];
    std::vector<std::string> names;
    for (const uint32_t frame : std::span(made.frame_ids).subspan(first, count))
      names.push_back(made.frames[frame].name);
    texts.push_back(fmt::format("{} {}", fmt::join(names, ";"), weight));
  }
  return texts;
}

std::vector<std::string> FirstSeries(const Profile& profile) {
  const WeightedStacks made = MakeWeightedStacks(profile, {});
  return StacksOf(made, made.series.front());
}

// "inuse_space t1 + 5": metric, thread, sign and total of each series.
std::vector<std::string> SeriesOf(const Profile& profile,
                                  bool by_thread = false) {
  std::vector<std::string> texts;
  for (const StackSeries& series :
       MakeWeightedStacks(profile, {.by_thread = by_thread}).series)
    texts.push_back(fmt::format(
        "{} t{} {} {}", MetricName(series.metric),
        profile.threads[series.thread.index()].uid,
        series.sign == WeightSign::kNegative ? '-' : '+', series.total));
  return texts;
}

TEST(WeightedStacksTest, MergesEqualStacksAndSortsFromTheRoot) {
  EXPECT_THAT(FirstSeries(ProfileOf("z 1\nmain;b 2\nmain;a|in 3\nmain 4\n"
                                    "app!main;b 5\n")),
              ElementsAre("main 4", "main;a;in 3", "main;b 7", "z 1"));
}

TEST(WeightedStacksTest, OmitsFramesAndStacksWithoutValues) {
  const WeightedStacks made =
      MakeWeightedStacks(ProfileOf("main;f 5\nunused;g 0\n"), {});
  EXPECT_EQ(made.frames.size(), 2u);
  EXPECT_EQ(made.stacks.size(), 1u);
}

TEST(WeightedStacksTest, OmitsWhatDidNotChange) {
  Profile profile = ProfileOf("main;f 5\nmain;g 7\n");
  AddBase(0, {5, 0}, profile);
  AddBase(1, {7, 0}, profile);
  EXPECT_TRUE(MakeWeightedStacks(profile, {}).stacks.empty());
  EXPECT_THAT(SeriesOf(profile),
              ElementsAre("inuse_space t0 + 0", "inuse_objects t0 + 0"));
  profile.samples[1].values[Metric::kInuseSpace].value = 4;
  EXPECT_THAT(FirstSeries(profile), testing::IsEmpty());
  EXPECT_EQ(MakeWeightedStacks(profile, {}).stacks.size(), 1u);
}

TEST(WeightedStacksTest, GivesFramesTheirFilesAndLines) {
  Profile profile =
      ProfileOf("main%a.cc:12;f%b.cc:3 5\nmain%a.cc:14;g;f%c.cc:4 6\n");
  for (Function& function : profile.functions)
    if (profile.String(function.name) == "main") function.start_line = 10;
  const auto frames = [&profile](Granularity granularity) {
    std::vector<std::string> texts;
    for (const WeightedFrame& frame :
         MakeWeightedStacks(profile, {.granularity = granularity}).frames)
      texts.push_back(
          fmt::format("{}|{}|{}", frame.name, frame.file, frame.line));
    return texts;
  };
  // The file of "f" is unknown, because there are two of that name.
  EXPECT_THAT(frames(Granularity::kFunctions),
              ElementsAre("f||0", "g||0", "main|a.cc|10"));
  EXPECT_THAT(frames(Granularity::kLines),
              ElementsAre("f b.cc:3|b.cc|3", "f c.cc:4|c.cc|4", "g ??:0||0",
                          "main a.cc:12|a.cc|12", "main a.cc:14|a.cc|14"));
}

TEST(WeightedStacksTest, CarriesFractionsFromStackToStack) {
  EXPECT_THAT(FirstSeries(ProfileOf("a 1.5\nb 0.25\nc 0.5\n")),
              ElementsAre("a 1", "c 1"));
  EXPECT_THAT(SeriesOf(ProfileOf("a 1.5\nb 0.75\nc 0.75\n")),
              ElementsAre("inuse_space t0 + 3", "inuse_objects t0 + 0"));
}

TEST(WeightedStacksTest, SeparatesDecreasesFromIncreases) {
  const Profile profile = ProfileOf("a 5\nb -2.5\nc -2.5\nd 1\n");
  EXPECT_THAT(SeriesOf(profile),
              ElementsAre("inuse_space t0 + 6", "inuse_space t0 - 5",
                          "inuse_objects t0 + 0"));
  const WeightedStacks made = MakeWeightedStacks(profile, {});
  EXPECT_THAT(StacksOf(made, made.series[1]), ElementsAre("b 2", "c 3"));
}

TEST(WeightedStacksTest, HasTheMetricsOfTheProfile) {
  Profile profile = ProfileOf("main 5\n");
  profile.samples[0].values[Metric::kAllocObjects].value = 7;
  profile.has_accumulated = true;
  EXPECT_THAT(SeriesOf(profile),
              ElementsAre("inuse_space t0 + 5", "inuse_objects t0 + 0",
                          "alloc_space t0 + 0", "alloc_objects t0 + 7"));
  profile.has_inuse = profile.has_object_counts = false;
  EXPECT_THAT(SeriesOf(profile), ElementsAre("alloc_space t0 + 0"));
}

TEST(WeightedStacksTest, HasASeriesForEachThreadIfAskedFor) {
  Profile profile = ProfileOf("main;f 5\nmain;g 6\n");
  AddToThread(1, 7, "b", profile);
  AddToThread(0, 3, "", profile);
  AddToThread(0, 7, "b", profile);
  EXPECT_THAT(SeriesOf(profile),
              ElementsAre("inuse_space t0 + 11", "inuse_objects t0 + 0"));
  EXPECT_THAT(SeriesOf(profile, true),
              ElementsAre("inuse_space t0 + 11", "inuse_objects t0 + 0",
                          "inuse_space t3 + 5", "inuse_space t7 + 11"));
}

TEST(WeightedStacksTest, OfNothingHasEmptySeries) {
  EXPECT_THAT(SeriesOf(Profile()),
              ElementsAre("inuse_space t0 + 0", "inuse_objects t0 + 0"));
}

}  // namespace
}  // namespace heapprof
