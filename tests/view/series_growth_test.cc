// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/series_growth.h"

#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/view/change.h"
#include "heapprof/view/flat_table.h"
#include "support/trend_tables.h"

namespace heapprof {
namespace {

// "leak 10 17": a function and what it holds in the first and last dump.
std::vector<std::string> Ends(const Snapshots& snapshots) {
  constexpr double kMebibyte = 1048576;
  std::vector<std::string> rows;
  for (const FlatRow& row : MakeFlatTable(CompareEnds(snapshots), {}).rows)
    if (row.flat.now.value != 0 || row.flat.base.value != 0)
      rows.push_back(fmt::format("{} {} {}", row.name,
                                 row.flat.base.value / kMebibyte,
                                 row.flat.now.value / kMebibyte));
  return rows;
}

TEST(CompareEndsTest, ComparesTheLastDumpWithTheFirst) {
  const Snapshots snapshots =
      SnapshotsOf({"app!leak 10\napp!gone 3\napp!peak 1",
                   "app!leak 12\napp!peak 50\napp!between 9",
                   "app!leak 17\napp!added 2\napp!peak 1"});
  EXPECT_THAT(Ends(snapshots),
              testing::ElementsAre("leak 10 17", "gone 3 0", "added 0 2"));
  const Profile profile = CompareEnds(snapshots);
  EXPECT_TRUE(profile.is_comparison);
  EXPECT_EQ(SumOf(profile, profile.samples, Metric::kInuseSpace).base.value,
            14 * 1048576.0);
}

TEST(CompareEndsTest, FindsNoChangeInOneDump) {
  EXPECT_THAT(Ends(SnapshotsOf({"app!leak 10"})), testing::IsEmpty());
}

TEST(CompareEndsTest, LeavesOutWhatFiltersRemoved) {
  Snapshots snapshots =
      SnapshotsOf({"app!leak 10\napp!other 5", "app!leak 12\napp!other 9"});
  std::erase_if(snapshots.profile.samples, [&](const Sample& sample) {
    return sample.stack == snapshots.profile.samples.front().stack;
  });
  snapshots.profile.filtered_thread_samples.emplace_back();
  EXPECT_EQ(Ends(snapshots).size(), 1u);
  EXPECT_TRUE(CompareEnds(snapshots).filtered_thread_samples.empty());
}

}  // namespace
}  // namespace heapprof
