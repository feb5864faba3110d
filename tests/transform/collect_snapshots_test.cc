// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/collect_snapshots.h"

#include <gtest/gtest.h>

#include "support/check_valid.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

TEST(SnapshotCollectorTest, KeepsEachStackOnceAndOnlyWhatChanges) {
  SnapshotCollector collector({});
  collector.Add(ProfileOf("app!main;app!stays 100\napp!main;app!grows 10"));
  collector.Add(ProfileOf("app!main;app!grows 20\napp!main;app!stays 100"));
  collector.Add(ProfileOf("app!main;app!stays 100"));
  const Snapshots all = std::move(collector).Finish();
  EXPECT_EQ(CheckValid(all.profile), "");
  EXPECT_EQ(StacksOf(all.profile),
            (std::vector<std::string>{"main;grows 20", "main;stays 100"}));
  ASSERT_EQ(all.dumps.size(), 3u);
  EXPECT_EQ(all.dumps[0].changes.size(), 2u);
  ASSERT_EQ(all.dumps[1].changes.size(), 1u);
  EXPECT_EQ(StackText(all.profile, all.dumps[1].changes[0].stack),
            "main;grows");
  EXPECT_EQ(all.dumps[1].changes[0].value.value, 20);
  // What a dump does not have is 0.
  ASSERT_EQ(all.dumps[2].changes.size(), 1u);
  EXPECT_EQ(all.dumps[2].changes[0].value.value, 0);
}

TEST(SnapshotCollectorTest, AddsUpEqualStacksOfADump) {
  SnapshotCollector collector({});
  collector.Add(ProfileOf("app!main 1\napp!main 2"));
  const Snapshots all = std::move(collector).Finish();
  ASSERT_EQ(all.dumps[0].changes.size(), 1u);
  EXPECT_EQ(all.dumps[0].changes[0].value.value, 3);
}

TEST(SnapshotCollectorTest, KeepsThreadsIfAskedTo) {
  for (const bool keeps : {false, true}) {
    SnapshotCollector collector({.keeps_threads = keeps});
    Profile dump = ProfileOf("app!main 5");
    dump.threads.push_back({.uid = 7});
    dump.thread_samples = dump.samples;
    dump.thread_samples[0].thread = ThreadId{1};
    collector.Add(std::move(dump));
    const Snapshots all = std::move(collector).Finish();
    EXPECT_EQ(all.dumps[0].has_threads, keeps);
    EXPECT_EQ(all.dumps[0].thread_changes.size(), keeps ? 1u : 0u);
    EXPECT_EQ(all.profile.thread_samples.size(), keeps ? 1u : 0u);
  }
}

// Such a thread may have shared a seed with others.
TEST(SnapshotCollectorTest, CountsThreadsThatHoldNothingAnyMore) {
  Profile dump = ProfileOf("app!main 5\napp!f 7");
  dump.threads.resize(4);
  dump.thread_samples = dump.samples;
  dump.thread_samples[0].thread = {1};
  dump.thread_samples[1].thread = {2};
  dump.thread_samples[1].values = {};
  dump.thread_samples[1].values[Metric::kAllocSpace].value = 7;
  SnapshotCollector collector({});
  collector.Add(std::move(dump));
  const Snapshots all = std::move(collector).Finish();
  EXPECT_EQ(all.dumps[0].run.dropped_threads, 1u);
}

TEST(SnapshotCollectorTest, KeepsThePeriodAndWhatWasAllocated) {
  SnapshotCollector collector({});
  Profile dump = ProfileOf("app!main 5");
  dump.sampling_period = 4096;
  dump.samples[0].values[Metric::kAllocSpace].value = 50;
  collector.Add(std::move(dump));
  const Snapshots all = std::move(collector).Finish();
  EXPECT_EQ(all.dumps[0].run.sampling_period, 4096u);
  EXPECT_EQ(all.dumps[0].allocated, 50);
}

}  // namespace
}  // namespace heapprof
