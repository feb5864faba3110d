// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/thread_table.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/unbias.h"
#include "heapprof/view/flat_table.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Rows(const Profile& profile) {
  std::vector<std::string> rows;
  for (const ThreadRow& row :
       MakeThreadTable(profile, Metric::kInuseSpace, FrameLabels(profile, {})))
    rows.push_back(fmt::format("{} {} {} {}", row.uid, row.name,
                               Difference(row.sum), row.top_function));
  return rows;
}

TEST(ThreadTableTest, SortsThreadsBySizeThenByUid) {
  Profile profile = ProfileOf("main;f 5\nmain;g 6\nmain;f 5\n");
  AddToThread(0, 2, "b", profile);
  AddToThread(0, 1, "a", profile);
  AddToThread(1, 10, "c", profile);
  AddToThread(0, 10, "c", profile);
  EXPECT_THAT(Rows(profile), ElementsAre("10 c 11 g", "1 a 5 f", "2 b 5 f"));
  EXPECT_THAT(Rows(ProfileOf("main;f 5\n")), IsEmpty());
}

TEST(ThreadTableTest, NamesTheOwnCallsThatAreCharged) {
  Profile profile = ProfileOf("main;f;grow 5\nmain;g;grow 6\nlib 1\n");
  for (size_t sample = 0; sample < 3; ++sample)
    AddToThread(sample, 1, "a", profile);
  CallsOfStacks calls(profile.stacks.size());
  for (size_t sample = 0; sample < 2; ++sample) {
    const StackId stack = profile.samples[sample].stack;
    const LocationId own = profile.StackFrames(stack)[1];
    calls[stack.index()] = {.frame = 1,
                            .line = profile.locations[own.index()].lines.first};
  }
  const FrameLabels labels(profile, {});
  const auto top = [&](const CallsOfStacks& charged) {
    return MakeThreadTable(profile, Metric::kInuseSpace, labels, charged)
        .front()
        .top_function;
  };
  EXPECT_EQ(top(calls), "g");
  EXPECT_EQ(top({}), "grow");
}

TEST(ThreadTableTest, SortsDifferencesBySize) {
  Profile profile = ProfileOf("main;f 5\nmain;g -6\nmain;h 1\n");
  AddToThread(0, 1, "a", profile);
  AddToThread(1, 2, "b", profile);
  AddToThread(2, 2, "b", profile);
  EXPECT_THAT(Rows(profile), ElementsAre("1 a 5 f", "2 b -5 g"));
  profile.thread_samples.pop_back();
  EXPECT_THAT(Rows(profile), ElementsAre("2 b -6 g", "1 a 5 f"));
}

TEST(ThreadTableTest, LeavesOutThreadsThatHaveNotChanged) {
  Profile profile = ProfileOf("main;f 5\nmain;g 6\n");
  AddToThread(0, 1, "a", profile);
  AddToThread(1, 2, "b", profile);
  EXPECT_THAT(Rows(profile), ElementsAre("2 b 6 g", "1 a 5 f"));
  profile.is_comparison = true;
  profile.thread_samples.push_back(profile.thread_samples[0]);
  profile.thread_samples.back().side = Side::kBase;
  EXPECT_THAT(Rows(profile), ElementsAre("2 b 6 g"));
}

TEST(ThreadTableTest, CountsSamplesAndGivesBoundsWhereTheyAreKnown) {
  Profile profile = ProfileOf("main;f 1\nmain;g 1\n");
  profile.sampling_period = 1000;
  const Unbiased estimate = Unbias(3, 600, 1000);
  profile.samples[0].values[Metric::kInuseSpace] = estimate.bytes;
  profile.samples[0].values[Metric::kInuseObjects] = estimate.objects;
  AddToThread(0, 1, "a", profile);
  AddToThread(1, 2, "of another period", profile);
  const auto rows =
      MakeThreadTable(profile, Metric::kInuseSpace, FrameLabels(profile, {}));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(BothSides(*rows[0].samples), 3, 1e-9);
  ASSERT_TRUE(rows[0].interval);
  EXPECT_LT(rows[0].interval->lower, rows[0].sum.now.value);
  EXPECT_GT(rows[0].interval->upper, rows[0].sum.now.value);
  const auto has_interval = [&profile](Metric metric) {
    return MakeThreadTable(profile, metric, FrameLabels(profile, {}))[0]
        .interval.has_value();
  };
  EXPECT_FALSE(has_interval(Metric::kInuseObjects));
  profile.sampling_period = 1;  // every object is sampled
  EXPECT_FALSE(
      MakeThreadTable(profile, Metric::kInuseSpace, FrameLabels(profile, {}))[0]
          .samples);
  profile.sampling_period = 0;  // unknown
  EXPECT_FALSE(has_interval(Metric::kInuseSpace));
}

TEST(ThreadTableTest, NamesTheFunctionThatChangedMost) {
  Profile profile = ProfileOf("main;f 5\nmain;g -9\n");
  AddToThread(0, 1, "a", profile);
  AddToThread(1, 1, "a", profile);
  EXPECT_THAT(Rows(profile), ElementsAre("1 a -4 g"));
}

TEST(SamplesByThreadTest, KeepsValuesFilteredFromEachThread) {
  Profile profile = ProfileOf("f 30\ng 10\n");
  profile.threads.resize(3);
  profile.threads[1].uid = 7;
  profile.threads[2].uid = 5;
  for (size_t i = 0; i < 2; ++i) {
    Sample sample = profile.samples[i];
    sample.thread = {static_cast<uint32_t>(i + 1)};
    (i == 0 ? profile.thread_samples : profile.filtered_thread_samples)
        .push_back(sample);
  }
  const auto threads = SamplesByThread(profile);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(profile.threads[threads[0].thread.index()].uid, 5u);
  EXPECT_TRUE(threads[0].samples.empty());
  EXPECT_EQ(threads[0].filtered_out.now[Metric::kInuseSpace].value, 10);
  EXPECT_EQ(threads[1].samples.size(), 1u);
  EXPECT_EQ(threads[1].filtered_out.now[Metric::kInuseSpace].value, 0);
  const FlatTable table = MakeFlatTable(
      profile,
      {.samples = threads[0].samples, .filtered_out = threads[0].filtered_out});
  EXPECT_EQ(Difference(table.total), 10);
  EXPECT_EQ(Difference(table.shown), 0);
  EXPECT_TRUE(table.rows.empty());
  EXPECT_EQ(
      MakeThreadTable(profile, Metric::kInuseSpace, FrameLabels(profile, {}))
          .size(),
      1u);
}

}  // namespace
}  // namespace heapprof
