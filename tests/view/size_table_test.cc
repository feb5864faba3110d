// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/size_table.h"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/stats/unbias.h"
#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

SizeTable TableOf(const Profile& profile) {
  return MakeSizeTable(profile, Metric::kInuseSpace, FrameLabels(profile, {}));
}

// "96: 960 10 f": size, bytes, objects, top function.
std::vector<std::string> RowsOf(const SizeTable& table) {
  std::vector<std::string> rows;
  for (const SizeRow& row : table.rows)
    rows.push_back(fmt::format("{}: {} {} {}", row.size, Difference(row.sum),
                               row.objects, row.top_function));
  return rows;
}

// Gives each sample so many objects.
Profile WithObjects(Profile profile, const std::vector<double>& objects) {
  for (size_t i = 0; i < objects.size(); ++i)
    profile.samples[i].values[Metric::kInuseObjects].value = objects[i];
  return profile;
}

TEST(SizeTableTest, NamesTheOwnCallThatIsCharged) {
  const Profile profile =
      WithObjects(ProfileOf("main;f;grow 1900\ng 960\n"), {20, 10});
  const FrameLabels labels(profile, {});
  CallsOfStacks calls(profile.stacks.size());
  const StackId stack = profile.samples[0].stack;
  const LocationId own = profile.StackFrames(stack)[1];
  calls[stack.index()] = {.frame = 1,
                          .line = profile.locations[own.index()].lines.first};
  EXPECT_THAT(
      RowsOf(MakeSizeTable(profile, Metric::kInuseSpace, labels, calls)),
      ElementsAre("96: 2860 30 f"));
  EXPECT_THAT(RowsOf(MakeSizeTable(profile, Metric::kInuseSpace, labels)),
              ElementsAre("96: 2860 30 grow"));
}

TEST(SizeTableTest, DividesRowsAmongTheLargestFunctions) {
  const Profile profile = WithObjects(
      ProfileOf("main;f 900\nmain;g 60\nmain;h 3000\nmain;g 5000\n"),
      {10, 1, 1, 1});
  const SizeTable table =
      MakeSizeTable(profile, Metric::kInuseSpace, FrameLabels(profile, {}), {},
                    /*most_functions=*/2);
  EXPECT_THAT(table.functions, ElementsAre("g", "h"));
  std::vector<std::vector<double>> parts;
  for (const SizeRow& row : table.rows) parts.push_back(row.parts);
  EXPECT_THAT(parts,
              ElementsAre(ElementsAre(60, 0, 0), ElementsAre(0, 0, 900),
                          ElementsAre(0, 3000, 0), ElementsAre(5000, 0, 0)));
  EXPECT_THAT(TableOf(profile).functions, ElementsAre());
}

TEST(SizeTableTest, AddsUpTheObjectsOfEachClass) {
  const Profile profile =
      WithObjects(ProfileOf("main;f 960\nmain;g 1900\nmain;h 8192\nmain;i 0\n"),
                  {10, 20, 2, 0});
  const SizeTable table = TableOf(profile);
  EXPECT_THAT(RowsOf(table), ElementsAre("96: 2860 30 g", "4096: 8192 2 h"));
  EXPECT_NEAR(table.rows[0].percent, 100 * 2860 / 11052.0, 1e-9);
  EXPECT_EQ(table.mean_percent, 100);
}

// 4031 objects of 8 KiB leave this in a dump of jemalloc 5.3.
TEST(SizeTableTest, UndoesTheRoundingOfJemalloc) {
  const Unbiased estimates = Unbias(4031, 33567315, 16384);
  Profile profile =
      WithObjects(ProfileOf(fmt::format("f {:.17g}\n", estimates.bytes.value)),
                  {estimates.objects.value});
  profile.sampling_period = 16384;
  EXPECT_EQ(TableOf(profile).rows[0].size, 8192u);
  profile.samples[0].one_size = true;
  EXPECT_EQ(TableOf(profile).rows[0].size, 10240u);
}

TEST(SizeTableTest, KnowsWhichSizesAreMeans) {
  Profile profile = WithObjects(ProfileOf("f 300\ng 100\n"), {3, 1});
  profile.samples[0].one_size = true;
  EXPECT_EQ(TableOf(profile).mean_percent, 25);
  profile.samples[1].one_size = true;
  EXPECT_EQ(TableOf(profile).mean_percent, 0);
}

TEST(SizeTableTest, ShowsWhatHasChanged) {
  Profile profile = WithObjects(ProfileOf("f 300\ng 64\n"), {3, 1});
  AddBase(0, {500, 0}, profile);
  profile.samples.back().values[Metric::kInuseObjects].value = 5;
  AddBase(1, {64, 0}, profile);
  profile.samples.back().values[Metric::kInuseObjects].value = 1;
  EXPECT_THAT(RowsOf(TableOf(profile)), ElementsAre("112: -200 -2 f"));
}

// The sum of changes with both signs may be next to nothing.
TEST(SizeTableTest, ShowsChangesAsSharesOfTheLargerSide) {
  Profile profile = WithObjects(ProfileOf("f 300\ng 640\n"), {3, 1});
  AddBase(0, {500, 0}, profile);
  profile.samples.back().values[Metric::kInuseObjects].value = 5;
  AddBase(1, {450, 0}, profile);
  profile.samples.back().values[Metric::kInuseObjects].value = 1;
  double shares = 0;
  for (const SizeRow& row : TableOf(profile).rows) {
    EXPECT_NEAR(row.percent, 100 * Difference(row.sum) / 950, 1e-9);
    shares += row.percent;
  }
  EXPECT_NEAR(shares, -100 * 10 / 950.0, 1e-9);
}

TEST(SizeTableTest, HasARowForObjectsOfUnknownNumber) {
  EXPECT_THAT(RowsOf(TableOf(ProfileOf("f 300\n"))), ElementsAre("0: 300 0 f"));
}

}  // namespace
}  // namespace heapprof
