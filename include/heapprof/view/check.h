// SPDX-License-Identifier: Apache-2.0
//
// Judges a comparison by the limits of a budget: the numbers of `heapprof
// check`.
//
// The probability that any regression is reported wrongly is at most
// 1 - confidence. The total and the entries are two families of tests: if both
// have limits, each gets half of that (Bonferroni). Entries
// that could not be a regression even if all of both sides were growth are not
// tested, because every test makes the others less sensitive. This depends on
// now + base and not on the difference, so that it does not favour entries that
// grew by chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/growth.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

enum class Verdict : uint8_t { kOk, kInconclusive, kRegression };

// "ok", "inconclusive", "regression"
std::string_view VerdictName(Verdict verdict);

// How sampling noise counts:
//   kInterval  a regression must be proven
//   kPoint     the estimates are compared as they are
//   kStrict    staying within the limit must be proven
enum class NoiseMode : uint8_t { kInterval, kPoint, kStrict };

// "ci", "point", "strict"
std::string_view NoiseModeName(NoiseMode mode);

struct CheckLimits {
  std::optional<double> max_total = {};  // bytes
  std::optional<GrowthLimit> total_growth = {};
  std::optional<GrowthLimit> entry_growth = {};
  std::optional<double> new_entry =
      {};  // growth of an entry that the base lacks
};

// The limits of the entries to which a rule applies.
struct EntryRule {
  std::string name;  // "rules[0]"
  std::optional<double> max_total = {};
  std::optional<GrowthLimit> growth = {};
  std::optional<double> new_entry = {};
};

// What is accepted for a while. Once it has expired, it is a finding itself.
struct IgnoreRule {
  std::string name;  // "ignore[0]"
  std::string reason = {};
  std::string expires = {};  // "2027-01-31"
  bool is_expired = false;
};

struct CheckBudget {
  CheckLimits limits = {};
  std::vector<EntryRule> rules = {};
  std::vector<IgnoreRule> ignores = {};
  // For each entry of the comparison, the rule that replaces the limits, and
  // what ignores it. Empty without rules, or without ignores.
  std::vector<std::optional<size_t>> rule_of = {};
  std::vector<std::optional<size_t>> ignore_of = {};
};

struct CheckFinding {
  std::string rule;  // "max-growth", "rules[2].max-growth", "ignore[0]" ...
  // Index of Comparison::entries; none: the total, or an expired ignore.
  std::optional<size_t> entry = {};
  bool is_expired_ignore = false;
  Verdict verdict = Verdict::kOk;
  double allowed = 0;  // bytes on the new side
  // One-sided bounds of now - allowed, each at the level of a single test.
  double lower_bound = 0;
  double upper_bound = 0;
  std::vector<std::string> path = {};  // callers that it explains, root first
  std::string note = {};               // such as the reason of an ignore
};

struct CheckResult {
  Verdict verdict = Verdict::kOk;
  // Of the total, whatever the verdict: one for each limit.
  std::vector<CheckFinding> totals;
  // Of entries and expired ignores: regressions first, then by how far they are
  // above the limit. None is ok.
  std::vector<CheckFinding> findings;
  std::vector<CheckFinding> ignored;
  size_t tested = 0;     // entries
  size_t untested = 0;   // too small to matter
  size_t explained = 0;  // callers whose growth is that of findings
};

struct JudgeOptions {
  double confidence = 0.95;
  NoiseMode noise = NoiseMode::kInterval;
};

CheckResult Judge(const Profile& profile, const Comparison& comparison,
                  const CheckBudget& budget, const JudgeOptions& options);

// What growth the dumps could have shown.
struct Detectable {
  enum class Subject : uint8_t { kTotal, kTypicalEntry, kNewEntry };
  Subject subject = Subject::kTotal;
  double base = 0;
  double allowed_growth = 0;
  // The smallest growth that would be proven in 90 % of all comparisons.
  double growth = 0;
  // To prove growth of twice the limit: how many times as many samples, and one
  // of two ways to get them. 1 if there are enough.
  double more_samples = 1;
  std::optional<unsigned> lg_prof_sample = {};
  std::optional<size_t> runs = {};
};

// One element for the total and each kind of entry that has a limit.
std::vector<Detectable> FindDetectable(const Comparison& comparison,
                                       const CheckBudget& budget,
                                       const CheckResult& result,
                                       const JudgeOptions& options);

}  // namespace heapprof
