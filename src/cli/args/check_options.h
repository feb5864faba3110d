// SPDX-License-Identifier: Apache-2.0
//
// The options of `heapprof check`.
#pragma once

#include <cstddef>
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

// The least severe verdict that makes the exit status 1. kNever: no verdict
// does.
enum class FailOn : uint8_t { kRegression, kInconclusive, kNever };

// The settings that can be made on the command line and in a budgets file.
// Settings made in neither place are unset.
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

// The words that the command line and a budgets file accept for a setting, in
// the order of the enumerators that they stand for.
inline constexpr std::string_view kByChoices =
    "function|stack|file|module|thread";
inline constexpr std::string_view kMetricChoices =
    "inuse_objects|inuse_space|alloc_objects|alloc_space";
inline constexpr std::string_view kNoiseChoices = "ci|point|strict";
inline constexpr std::string_view kFailOnChoices =
    "regression|inconclusive|never";
// In the order of CheckFormats(). The extensions of files that get a format are
// in the same order; empty: only --format chooses it.
inline constexpr std::string_view kFormatChoices =
    "text|json|markdown|github|junit";
inline constexpr std::string_view kFormatExtensions[] = {".txt", ".json", ".md",
                                                         "", ".xml"};

constexpr bool IsConfidence(double number) {
  return number >= 0.5 && number < 1;
}
constexpr bool IsPercentage(double number) {
  return number >= 0 && number <= 100;
}
inline constexpr std::string_view kExpectedConfidence =
    "a number from 0.5 to below 1, such as 0.95";
inline constexpr std::string_view kExpectedPercentage = "0 to 100";

struct CheckOutput {
  size_t format = 0;      // an index of CheckFormats()
  std::string path = {};  // empty or "-" = standard output

  bool IsStandardOutput() const { return path.empty() || path == "-"; }
};

struct CheckOptions {
  CheckSettings settings;
  std::vector<std::string> new_files;
  std::string budgets;                  // path of the budgets file; empty: none
  std::vector<CheckOutput> outputs{1};  // never empty
  std::string save_baseline;  // path of the file to write; empty: none
  bool explain = false;
  bool accept_damaged = false;
  bool allow_empty = false;
};

}  // namespace heapprof
