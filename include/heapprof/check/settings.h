// SPDX-License-Identifier: Apache-2.0
//
// The settings of `heapprof check` that can be made both on the command line
// and in a budgets file, and the words that both accept for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heapprof/check/finding.h"
#include "heapprof/check/limits.h"
#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/comparison.h"
#include "heapprof/view/metric_words.h"

namespace heapprof {

// Values are estimates with a sampling error. What counts as a regression:
//   kInterval  growth that is proven to be beyond the limit
//   kPoint     an estimate beyond the limit, whatever its error
//   kStrict    anything that is not proven to be within the limit
enum class NoiseMode : uint8_t { kInterval, kPoint, kStrict };

// "ci", "point", "strict"
std::string_view NoiseModeName(NoiseMode mode);

// The least severe verdict that makes the exit status 1. kNever: no verdict
// does.
enum class FailOn : uint8_t { kRegression, kInconclusive, kNever };

// What is not set has a default, which the functions return, or is no limit.
struct CheckSettings {
  std::optional<ParsedSize> max_total = {};
  std::optional<ParsedLimit> max_total_growth = {};
  std::optional<ParsedLimit> max_growth = {};
  std::optional<ParsedSize> max_new = {};
  std::optional<CompareBy> by = {};
  std::optional<Metric> metric = {};
  std::optional<double> confidence = {};
  std::optional<NoiseMode> noise = {};
  std::optional<FailOn> fail_on = {};
  std::optional<double> require_symbols = {};  // per cent

  bool LimitsTotal() const { return max_total || max_total_growth; }
  bool LimitsEntries() const { return max_growth || max_new; }
  CompareBy By() const { return by.value_or(CompareBy::kFunction); }
  double Confidence() const { return confidence.value_or(kConfidence); }
  NoiseMode Noise() const { return noise.value_or(NoiseMode::kInterval); }
  // The mildest verdict that makes the check fail; none: no verdict does.
  std::optional<Verdict> FailsFrom() const;
};

// Sets what `settings` lacks to what `others` say.
void Complete(CheckSettings& settings, const CheckSettings& others);

// The words that the command line and a budgets file accept for a setting, in
// the order of the enumerators that they stand for; also kByChoices and
// kMetricChoices.
inline constexpr std::string_view kNoiseChoices = "ci|point|strict";
inline constexpr std::string_view kFailOnChoices =
    "regression|inconclusive|never";

constexpr bool IsConfidence(double number) {
  return number >= 0.5 && number < 1;
}
constexpr bool IsPercentage(double number) {
  return number >= 0 && number <= 100;
}
inline constexpr std::string_view kExpectedConfidence =
    "a number from 0.5 to below 1, such as 0.95";
inline constexpr std::string_view kExpectedPercentage = "0 to 100";

}  // namespace heapprof
