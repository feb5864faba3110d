// SPDX-License-Identifier: Apache-2.0
#include "compare/dispersion.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "heapprof/compare/average_runs.h"
#include "heapprof/stats/growth.h"
#include "heapprof/transform/merge.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

constexpr Metric kBytes = Metric::kInuseSpace;
constexpr double kVariance = 100;

// Runs of the new side, and a base with one.
Profile Joined(const std::vector<std::string>& now, uint64_t period) {
  std::vector<MergeInput> inputs;
  for (const std::string& run : now)
    inputs.push_back({ProfileOf(run), Side::kNew});
  inputs.push_back({ProfileOf("app!main;app!f 1000\n"), Side::kBase});
  for (MergeInput& input : inputs) {
    input.profile.sampling_period = period;
    for (Sample& sample : input.profile.samples)
      sample.values[kBytes].variance = kVariance;
  }
  return Merge(std::move(inputs));
}

Dispersion Measured(Profile profile) {
  MeasureDispersion(profile);
  return profile.dispersions[static_cast<size_t>(kBytes)];
}

// f and g vary in opposite directions, so that the total does not vary.
const std::vector<std::string> kRuns = {
    "app!main;app!f 1100\napp!main;app!g 900\n",
    "app!main;app!f 900\napp!main;app!g 1100\n",
    "app!main;app!f 1000\napp!main;app!g 1000\n"};

TEST(MeasureDispersionTest, PoolsFunctionsApartFromTheTotal) {
  const Dispersion found = Measured(Joined(kRuns, 512));
  const std::vector<Estimate> f = {
      {1100, kVariance}, {900, kVariance}, {1000, kVariance}};
  const std::vector<Estimate> g = {
      {900, kVariance}, {1100, kVariance}, {1000, kVariance}};
  const std::vector<Estimate> main(3, {2000, 2 * kVariance});
  const std::vector<std::vector<Estimate>> all = {f, g, main};
  EXPECT_NEAR(found.entries, OverDispersion(all), 1e-9);
  EXPECT_GT(found.entries, 10);
  EXPECT_EQ(found.total, 1);
  EXPECT_EQ(found.of_sides.now, 1);
}

TEST(MeasureDispersionTest, CountsARecursiveFunctionOnce) {
  std::vector<std::string> recursive;
  for (const double value : {1100, 900, 1000})
    recursive.push_back(fmt::format(
        "app!main;app!f;app!f {}\napp!main;app!g {}\n", value, 2000 - value));
  EXPECT_EQ(Measured(Joined(recursive, 512)).entries,
            Measured(Joined(kRuns, 512)).entries);
}

TEST(MeasureDispersionTest, KnowsWhichSideVaries) {
  const Dispersion found = Measured(
      Joined({"app!main 1000\n", "app!main 1500\n", "app!main 700\n"}, 512));
  EXPECT_GT(found.of_sides.now, 10);
  EXPECT_EQ(found.of_sides.base, 1);
  EXPECT_EQ(found.total, found.of_sides.now);
}

TEST(MeasureDispersionTest, NeedsThreeRunsThatWereSampled) {
  EXPECT_EQ(Measured(Joined({kRuns[0], kRuns[1]}, 512)).entries, 1);
  EXPECT_EQ(Measured(Joined(kRuns, 1)).entries, 1);
  EXPECT_EQ(Measured(Joined(kRuns, 0)).entries, 1);
}

TEST(MeasureDispersionTest, IsTheSameForMeans) {
  Profile averaged = Joined(kRuns, 512);
  AverageRuns(averaged);
  EXPECT_NEAR(Measured(std::move(averaged)).entries,
              Measured(Joined(kRuns, 512)).entries, 1e-9);
}

}  // namespace
}  // namespace heapprof
