// SPDX-License-Identifier: Apache-2.0
#include "compare/dispersion.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "heapprof/compare/compare_sides.h"
#include "heapprof/stats/run_variation.h"
#include "heapprof/transform/merge.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

constexpr Metric kBytes = Metric::kInuseSpace;
constexpr double kVariance = 100;

// Runs of the new side, and a base with one.
// Each has this many threads with the first of its samples and, if there are
// any, one stack that they may have had in turn.
Profile Joined(const std::vector<std::string>& now, uint64_t period,
               uint64_t threads = 0) {
  std::vector<MergeInput> inputs;
  for (const std::string& run : now)
    inputs.push_back({ProfileWithUnresolved(run), Side::kNew});
  inputs.push_back({ProfileOf("app!main;app!f 1000\n"), Side::kBase});
  for (MergeInput& input : inputs) {
    input.profile.sampling_period = period;
    for (Sample& sample : input.profile.samples)
      sample.values[kBytes].variance = kVariance;
    for (uint64_t thread = 1; thread <= threads; ++thread)
      AddToThread(0, thread, "", input.profile);
    if (threads > 0) input.profile.thread_stacks = {1, 1};
  }
  return Merge(std::move(inputs));
}

Dispersion Measured(Profile profile) {
  CompareSides(profile, {});
  return profile.dispersions[static_cast<size_t>(kBytes)];
}

// f and g vary in opposite directions, so that the total does not vary.
const std::vector<std::string> kRuns = {
    "app!main;app!f 1015\napp!main;app!g 985\n",
    "app!main;app!f 985\napp!main;app!g 1015\n",
    "app!main;app!f 1000\napp!main;app!g 1000\n"};

// What sampling does not explain of a run of this many bytes.
double Beyond(const RunVariation& variation, double bytes) {
  return (variation.sampling - 1) * kVariance +
         variation.relative * bytes * bytes;
}

// The runs of f and g have the variance 225 each; main does not vary. So the
// variation of all is about the mean of 225, 225, and 0.
TEST(MeasureDispersionTest, PoolsFunctionsApartFromTheTotal) {
  const Dispersion found = Measured(Joined(kRuns, 512));
  EXPECT_NEAR(Beyond(found.entries, 1000), 150 - kVariance, 15);
  EXPECT_EQ(found.entries.degrees, 3 * 2);
  EXPECT_EQ(found.total.sampling, 0);
  EXPECT_EQ(found.total.degrees, 2);
  EXPECT_EQ(found.of_sides.now, 1);
}

TEST(MeasureDispersionTest, CountsARecursiveFunctionOnce) {
  std::vector<std::string> recursive;
  for (const double value : {1015, 985, 1000})
    recursive.push_back(fmt::format(
        "app!main;app!f;app!f {}\napp!main;app!g {}\n", value, 2000 - value));
  const RunVariation once = Measured(Joined(kRuns, 512)).entries;
  const RunVariation found = Measured(Joined(recursive, 512)).entries;
  EXPECT_EQ(found.sampling, once.sampling);
  EXPECT_EQ(found.relative, once.relative);
  EXPECT_EQ(found.degrees, once.degrees);
}

TEST(MeasureDispersionTest, KnowsWhichSideVaries) {
  const Dispersion found = Measured(
      Joined({"app!main 1000\n", "app!main 1020\n", "app!main 980\n"}, 512));
  EXPECT_NEAR(found.of_sides.now, 4, 1e-9);
  EXPECT_EQ(found.of_sides.base, 1);
  EXPECT_NEAR(found.total.sampling, 4, 1e-9);
}

// Of three threads with one stack, two may have had the same seed. That adds
// twice the variance of a thread.
TEST(MeasureDispersionTest, IsLessWhereThreadsMayHaveHadOneSeed) {
  const std::vector<std::string> runs = {"app!main 1000\n", "app!main 1020\n",
                                         "app!main 980\n"};
  const Dispersion alone = Measured(Joined(runs, 512));
  const Dispersion shared = Measured(Joined(runs, 512, 3));
  EXPECT_NEAR(3 * shared.total.sampling, alone.total.sampling, 1e-9);
  EXPECT_LT(Beyond(shared.entries, 1000), Beyond(alone.entries, 1000));
}

TEST(MeasureDispersionTest, IsRelativeIfEveryAllocationWasSampled) {
  const Dispersion found = Measured(Joined(kRuns, 1));
  // f and g vary by 1.5 %, main does not.
  EXPECT_EQ(found.entries.sampling, 1);
  EXPECT_NEAR(found.entries.relative, 0.015 * 0.015, 1e-6);
  EXPECT_NEAR(found.entries.varying, 2.0 / 3, 1e-9);
  EXPECT_EQ(found.entries.degrees, 2 * 2);
  EXPECT_EQ(found.total.relative, 0);
  EXPECT_EQ(found.total.degrees, 2);
  EXPECT_EQ(found.of_sides.now, 1);
}

TEST(MeasureDispersionTest, NeedsThreeRunsOfKnownSampling) {
  for (const Profile& profile :
       {Joined({kRuns[0], kRuns[1]}, 512), Joined(kRuns, 0)}) {
    const RunVariation found = Measured(profile).total;
    EXPECT_EQ(found.sampling, 1);
    EXPECT_TRUE(std::isinf(found.degrees));
  }
}

// A run of 30 functions, each `error` bytes too large or too small, and of f,
// whose buffer may have doubled.
std::string RunWithBuffer(double error, double buffer) {
  std::string run = fmt::format("app!main;app!f {}\n", buffer);
  for (int i = 0; i < 30; ++i)
    run += fmt::format("app!main;app!g{} {}\n", i,
                       i % 2 == 0 ? 1000 + error : 1000 - error);
  return run;
}

// Returns the variance of what a side holds in the stack of `function`.
double VarianceOf(const Profile& profile, std::string_view function,
                  Side side) {
  double variance = 0;
  for (const Sample& sample : profile.samples) {
    const LocationId leaf = profile.StackFrames(sample.stack).front();
    const Line& line =
        profile.LocationLines(profile.locations[leaf.index()]).front();
    if (profile.String(profile.functions[line.function.index()].name) ==
            function &&
        sample.side == side)
      variance += sample.values[kBytes].variance;
  }
  return variance;
}

// The variance between the runs of f, as wide as with two degrees of freedom.
constexpr double kOfBuffer = 1e6 / 3 * 3.151;

Profile ComparedWithBuffer(uint64_t period) {
  Profile profile = Joined(
      {RunWithBuffer(0, 1000), RunWithBuffer(8, 2000), RunWithBuffer(-8, 1000)},
      period);
  CompareSides(profile, {});
  return profile;
}

TEST(MeasureDispersionTest, GivesOnlyAStackThatVariesOnItsOwnItsVariance) {
  const Profile profile = ComparedWithBuffer(512);
  EXPECT_NEAR(VarianceOf(profile, "f", Side::kNew), kOfBuffer / 3, 100);
  // The base holds a little less.
  EXPECT_NEAR(VarianceOf(profile, "f", Side::kBase), kOfBuffer,
              0.1 * kOfBuffer);
  EXPECT_NEAR(VarianceOf(profile, "g1", Side::kNew), kVariance / 3, 1e-9);
  const Dispersion found = profile.dispersions[static_cast<size_t>(kBytes)];
  EXPECT_NEAR(Beyond(found.entries, 1000), 0, 30);
  // Sampling alone does not explain the total, but what it has of f does.
  EXPECT_NEAR(found.total.sampling * 3.15, 1, 0.1);
  EXPECT_GT(found.of_sides.now, 100);
}

TEST(MeasureDispersionTest, GivesItToRunsThatCountEveryAllocation) {
  const Profile profile = ComparedWithBuffer(1);
  EXPECT_NEAR(VarianceOf(profile, "f", Side::kNew), kOfBuffer / 3, 100);
  EXPECT_EQ(VarianceOf(profile, "g1", Side::kNew), 0);
}

TEST(MeasureDispersionTest, LeavesASideWithoutTheStackAlone) {
  const std::vector<std::string> now = {
      RunWithBuffer(0, 1000), RunWithBuffer(8, 2000), RunWithBuffer(-8, 1000)};
  Profile without = Joined(now, 512);
  for (Sample& sample : without.samples)
    if (sample.side == Side::kBase) sample.values[kBytes] = {};
  CompareSides(without, {});
  EXPECT_EQ(VarianceOf(without, "f", Side::kBase), 0);
}

// Reports add to the variances of samples how entries vary.
TEST(MeasureDispersionTest, LeavesToTheDispersionWhatItAddsToSuchAStack) {
  Profile profile = Joined({RunWithBuffer(0, 1000), RunWithBuffer(20, 2000),
                            RunWithBuffer(-20, 1000)},
                           512);
  CompareSides(profile, {});
  const RunVariation& variation =
      profile.dispersions[static_cast<size_t>(kBytes)].entries;
  EXPECT_GT(Beyond(variation, 1000), 2 * kVariance);
  MeasuredSide f = {.mean = {4000.0 / 3, VarianceOf(profile, "f", Side::kNew)}};
  AddVariation(variation, 3, f);
  const double between_runs = 1e6 / 3, widening = 3.151;  // two degrees
  const double expected = between_runs / 3 * widening;
  // The dispersion was a little larger before the stack got its variance.
  EXPECT_NEAR(f.between_runs, expected, 0.1 * expected);
}

TEST(MeasureDispersionTest, DoesNotTakeStacksOfOneRunEachForOneThatVaries) {
  Profile profile =
      Joined({"app!main;app+0x1 2000\n", "app!main;app+0x2 2000\n",
              "app!main;app+0x3 2000\n"},
             512);
  CompareSides(profile, {});
  EXPECT_NEAR(VarianceOf(profile, "app+0x1", Side::kNew), kVariance / 9, 1e-9);
}

// Only one run has k, with two stacks. The larger one is that of h.
TEST(MeasureDispersionTest, GivesAFunctionThatRunsLackItsVariance) {
  for (const uint64_t period : {1, 512}) {
    Profile profile =
        Joined({RunWithBuffer(0, 1000) + "app!main;k;h 2000\napp!main;k 1000\n",
                RunWithBuffer(8, 1000), RunWithBuffer(-8, 1000)},
               period);
    CompareSides(profile, {});
    const double between_runs = 3000 * 3000 / 3.0, widening = 3.151;
    EXPECT_NEAR(VarianceOf(profile, "h", Side::kNew) +
                    VarianceOf(profile, "k", Side::kNew),
                between_runs / 3 * widening, 1e-3 * between_runs);
    EXPECT_NEAR(VarianceOf(profile, "g1", Side::kNew),
                period == 1 ? 0 : kVariance / 3, 1e-9);
  }
}

}  // namespace
}  // namespace heapprof
