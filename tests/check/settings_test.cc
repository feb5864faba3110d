// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/settings.h"

#include <optional>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(CheckSettingsTest, HaveDefaults) {
  const CheckSettings settings;
  EXPECT_FALSE(settings.LimitsTotal());
  EXPECT_FALSE(settings.LimitsEntries());
  EXPECT_EQ(settings.By(), CompareBy::kFunction);
  EXPECT_EQ(settings.Confidence(), 0.95);
  EXPECT_EQ(settings.Noise(), NoiseMode::kInterval);
  EXPECT_EQ(settings.FailsFrom(), Verdict::kRegression);
}

TEST(CheckSettingsTest, SayFromWhichVerdictTheCheckFails) {
  EXPECT_EQ(CheckSettings{.fail_on = FailOn::kInconclusive}.FailsFrom(),
            Verdict::kInconclusive);
  EXPECT_EQ(CheckSettings{.fail_on = FailOn::kNever}.FailsFrom(), std::nullopt);
}

TEST(CheckSettingsTest, AreCompletedByThoseOfTheFile) {
  CheckSettings settings = {.by = CompareBy::kFile, .confidence = 0.9};
  const CheckSettings file = {.max_total = ParsedSize{.value = 1},
                              .max_total_growth = ParsedLimit(),
                              .max_growth = ParsedLimit(),
                              .max_new = ParsedSize{.value = 2},
                              .by = CompareBy::kModule,
                              .metric = Metric::kAllocSpace,
                              .confidence = 0.8,
                              .noise = NoiseMode::kStrict,
                              .fail_on = FailOn::kNever,
                              .require_symbols = 50};
  Complete(settings, file);
  EXPECT_EQ(settings.max_total->value, 1);
  EXPECT_TRUE(settings.max_total_growth);
  EXPECT_TRUE(settings.max_growth);
  EXPECT_EQ(settings.max_new->value, 2);
  EXPECT_EQ(settings.by, CompareBy::kFile);  // the command line wins
  EXPECT_EQ(settings.metric, Metric::kAllocSpace);
  EXPECT_EQ(settings.confidence, 0.9);
  EXPECT_EQ(settings.noise, NoiseMode::kStrict);
  EXPECT_EQ(settings.fail_on, FailOn::kNever);
  EXPECT_EQ(settings.require_symbols, 50);
}

}  // namespace
}  // namespace heapprof
