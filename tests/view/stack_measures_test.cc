// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stack_measures.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/transform/threads.h"
#include "heapprof/view/metric_words.h"
#include "support/scaled_values.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string StackOf(const StackTable& table, const StackRow& row) {
  std::vector<std::string> names;
  for (const uint32_t frame : table.FramesOf(row))
    names.push_back(table.labels[frame]);
  return fmt::format("{}", fmt::join(names, ";"));
}

// "inuse_space main;f 5", and the uid of the thread, if it is of one.
std::vector<std::string> RowsOf(const Profile& profile,
                                const std::vector<Metric>& metrics = {
                                    Metric::kInuseSpace}) {
  std::vector<std::string> texts;
  const StackMeasures measures = MeasureStacks(profile, {.metrics = metrics});
  for (const StackMeasure& row : measures.rows)
    texts.push_back(fmt::format(
        "{} {} {}{}", MetricName(row.metric),
        StackOf(measures.stacks, measures.stacks.rows[row.stack]), row.value,
        row.thread.IsNone()
            ? ""
            : fmt::format(" t{}", profile.threads[row.thread.index()].uid)));
  return texts;
}

TEST(MeasureStacksTest, MergesEqualStacksInTheOrderOfAStackTable) {
  EXPECT_THAT(RowsOf(ProfileOf("z 1\nmain;b 2\nmain;a|in 3\nmain 4\n"
                               "app!main;b 5\n")),
              ElementsAre("inuse_space main 4", "inuse_space main;a;in 3",
                          "inuse_space main;b 7", "inuse_space z 1"));
}

TEST(MeasureStacksTest, CarriesFractionsAndLeavesOutZeros) {
  EXPECT_THAT(RowsOf(ProfileOf("a 0.4\nb 0.4\nc 0.4\nd 1.8\n")),
              ElementsAre("inuse_space c 1", "inuse_space d 2"));
}

TEST(MeasureStacksTest, HasOnlyMetricsOfTheProfile) {
  Profile profile = ProfileOf("a 5\n");
  profile.samples[0].values[Metric::kInuseObjects].value = 2;
  const std::vector<Metric> metrics = {
      Metric::kAllocSpace, Metric::kInuseObjects, Metric::kInuseSpace};
  EXPECT_THAT(RowsOf(profile, metrics),
              ElementsAre("inuse_objects a 2", "inuse_space a 5"));
  profile.has_object_counts = false;
  EXPECT_THAT(RowsOf(profile, metrics), ElementsAre("inuse_space a 5"));
  EXPECT_THAT(RowsOf(profile, {}), IsEmpty());
}

TEST(MeasureStacksTest, HasTheErrorAndTheSamplesOfAMergedStack) {
  Profile profile = ProfileOf("main;f 0\napp!main;f 0\n");
  profile.sampling_period = 1000;
  // Objects of 100 bytes: n samples stand for n * 1050.8 bytes.
  profile.samples[0].values = ScaledValues(3, 300, 1000);
  profile.samples[1].values = ScaledValues(1, 100, 1000);
  const StackMeasures measures = MeasureStacks(
      profile, {.metrics = {Metric::kInuseSpace, Metric::kInuseObjects}});
  ASSERT_EQ(measures.rows.size(), 2u);
  const StackMeasure& bytes = measures.rows[0];
  EXPECT_EQ(bytes.value, 4203);
  EXPECT_EQ(bytes.samples, 4);
  ASSERT_TRUE(bytes.interval);
  // Those of a count of 4, each sample worth about 1000 bytes.
  EXPECT_NEAR(bytes.interval->lower, 1.09 * 1000, 200);
  EXPECT_NEAR(bytes.interval->upper, 10.24 * 1000, 500);
  EXPECT_EQ(measures.rows[1].samples, 4);
  EXPECT_FALSE(measures.rows[1].interval);
}

TEST(MeasureStacksTest, HasNeitherForExactValues) {
  Profile profile = ProfileOf("main;f 10\n");
  profile.sampling_period = 1;
  const StackMeasure row =
      MeasureStacks(profile, {.metrics = {Metric::kInuseSpace}}).rows[0];
  EXPECT_FALSE(row.interval);
  EXPECT_FALSE(row.samples);
}

TEST(MeasureStacksTest, SaysWhereTheCodeIs) {
  const Profile profile = ProfileOf(
      "main%a.cc:1:10;f%b.cc:2:20 5\nmain%a.cc:3:10;f%c.cc:4:20;g 7\n");
  const auto places = [&](Granularity granularity) {
    const StackMeasures measures = MeasureStacks(
        profile,
        {.granularity = granularity, .metrics = {Metric::kInuseSpace}});
    std::vector<std::string> texts;
    for (size_t i = 0; i < measures.places.size(); ++i)
      texts.push_back(
          fmt::format("{}: {}", measures.stacks.labels[i], measures.places[i]));
    return texts;
  };
  // f is in two files.
  EXPECT_THAT(places(Granularity::kFunctions),
              ElementsAre("f: ", "g: ", "main: a.cc:10"));
  EXPECT_THAT(places(Granularity::kLines),
              ElementsAre("f b.cc:2: b.cc:2", "f c.cc:4: c.cc:4", "g ??:0: ",
                          "main a.cc:1: a.cc:1", "main a.cc:3: a.cc:3"));
}

// Names are those of collapsed stacks, in which ";" separates frames.
TEST(MeasureStacksTest, JoinsLabelsThatBecomeEqual) {
  Profile profile = ProfileOf("x%a.cc:1:2 1\ny%b.cc:1:2 2\n");
  profile.functions[1].name = profile.strings.Intern("operator;");
  profile.functions[2].name = profile.strings.Intern("operator:");
  const StackMeasures measures =
      MeasureStacks(profile, {.metrics = {Metric::kInuseSpace}});
  EXPECT_THAT(measures.stacks.labels, ElementsAre("operator:"));
  EXPECT_THAT(measures.places, ElementsAre(""));
  EXPECT_EQ(measures.rows[0].value, 3);
}

TEST(MeasureStacksTest, SplitsRowsByThread) {
  Profile profile = ProfileOf("main;f 8\nmain;g 2\n");
  AddToThread(0, 1, "one", profile);
  AddToThread(0, 2, "", profile);
  profile.thread_samples[0].values[Metric::kInuseSpace].value = 5;
  profile.thread_samples[1].values[Metric::kInuseSpace].value = 3;
  SplitByThread(profile);
  EXPECT_THAT(RowsOf(profile),
              ElementsAre("inuse_space main;f 5 t1", "inuse_space main;f 3 t2",
                          "inuse_space main;g 2"));
}

}  // namespace
}  // namespace heapprof
