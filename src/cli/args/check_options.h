// SPDX-License-Identifier: Apache-2.0
//
// What `heapprof check` is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/limits.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/check.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

// Which verdicts give the exit status 1.
enum class FailOn : uint8_t { kRegression, kInconclusive, kNever };

// The settings that both the command line and a budgets file can make; unset:
// not made.
struct CheckSettings {
  std::optional<ParsedSize> max_total;
  std::optional<ParsedLimit> max_total_growth;
  std::optional<ParsedLimit> max_growth;
  std::optional<ParsedSize> max_new;
  std::optional<CompareBy> by;
  std::optional<Metric> metric;
  std::optional<double> confidence;
  std::optional<NoiseMode> noise;
  std::optional<FailOn> fail_on;
  std::optional<double> require_symbols;  // per cent

  bool HasLimit() const {
    return max_total || max_total_growth || max_growth || max_new;
  }
};

// The values of these settings, for both places, in the order of their
// enumerations.
inline constexpr std::string_view kByChoices =
    "function|stack|file|module|thread";
inline constexpr std::string_view kMetricChoices =
    "inuse_objects|inuse_space|alloc_objects|alloc_space";
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

struct CheckOptions {
  CheckSettings settings;
  std::vector<std::string> new_files;
  std::string budgets;        // file; or empty
  size_t format = 0;          // of CheckFormats()
  std::string save_baseline;  // file; or empty
  bool explain = false;
  bool accept_damaged = false;
};

}  // namespace heapprof
