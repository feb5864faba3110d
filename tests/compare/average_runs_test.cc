// SPDX-License-Identifier: Apache-2.0
#include "heapprof/compare/average_runs.h"

#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/compare/compare_sides.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/merge.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Profile Joined(std::vector<std::string_view> now, std::string_view base) {
  std::vector<MergeInput> inputs;
  for (const std::string_view run : now)
    inputs.push_back({ProfileOf(run), Side::kNew});
  inputs.push_back({ProfileOf(base), Side::kBase});
  return Merge(std::move(inputs));
}

TEST(AverageRunsTest, EqualRunsHaveNotGrown) {
  Profile profile = Joined({"app!f 100\n", "app!f 100\n"}, "app!f 100\n");
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile), IsEmpty());
}

TEST(AverageRunsTest, TakesTheMeanOfEachStack) {
  Profile profile =
      Joined({"app!f 100\n", "app!f 140\napp!g 20\n"}, "app!f 80\n");
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile), ElementsAre("f 40", "g 10"));
}

TEST(AverageRunsTest, FindsFunctionsAgainInRunsOfSeveralBuilds) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf("app!main;app!f 100\n"), Side::kNew});
  inputs.push_back({ProfileOf("app!main;app!f 100\n"), Side::kBase});
  inputs.push_back({ProfileOf("app!main|f 100\n"), Side::kBase});
  for (size_t i = 0; i < inputs.size(); ++i) {
    Profile& profile = inputs[i].profile;
    profile.mappings[1].build_id = profile.strings.Intern(i < 2 ? "a0" : "b1");
  }
  Profile profile = Merge(std::move(inputs));
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile), IsEmpty());
}

TEST(AverageRunsTest, DividesVariancesBySquares) {
  Profile profile = Joined({"app!f 100\n", "app!f 140\n"}, "app!f 80\n");
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 36;
  AverageRuns(profile);
  EXPECT_TRUE(profile.is_mean_of_runs);
  double of_new = 0;
  for (const Sample& sample : profile.samples)
    if (sample.side == Side::kNew)
      of_new += sample.values[Metric::kInuseSpace].variance;
  EXPECT_EQ(of_new, 36.0 / 4 * 2);
  EXPECT_EQ(profile.samples.back().values[Metric::kInuseSpace].variance, 36);
}

}  // namespace
}  // namespace heapprof
