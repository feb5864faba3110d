// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/thread_table.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/stats/unbias.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Rows(const Profile& profile) {
  std::vector<std::string> rows;
  for (const ThreadRow& row : MakeThreadTable(profile, Metric::kInuseSpace, {}))
    rows.push_back(fmt::format("{} {} {} {}", row.uid, row.name, row.value,
                               row.top_function));
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

TEST(ThreadTableTest, CountsSamplesAndGivesBoundsWhereTheyAreKnown) {
  Profile profile = ProfileOf("main;f 1\nmain;g 1\n");
  profile.sampling_period = 1000;
  const Unbiased estimate = Unbias(3, 600, 1000);
  profile.samples[0].values[Metric::kInuseSpace] = estimate.bytes;
  profile.samples[0].values[Metric::kInuseObjects] = estimate.objects;
  AddToThread(0, 1, "a", profile);
  AddToThread(1, 2, "of another period", profile);
  const auto rows = MakeThreadTable(profile, Metric::kInuseSpace, {});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].samples, 3u);
  ASSERT_TRUE(rows[0].interval);
  EXPECT_LT(rows[0].interval->lower, rows[0].value);
  EXPECT_GT(rows[0].interval->upper, rows[0].value);
  EXPECT_EQ(rows[1].samples, std::nullopt);
  EXPECT_FALSE(rows[1].interval);
  EXPECT_FALSE(MakeThreadTable(profile, Metric::kInuseObjects, {})[0].interval);
}

}  // namespace
}  // namespace heapprof
