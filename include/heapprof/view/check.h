// SPDX-License-Identifier: Apache-2.0
//
// Judges a comparison by the limits of a budget: the numbers of `heapprof
// check`.
//
// Let alpha be 1 - JudgeOptions::confidence. The probability that any
// regression is reported wrongly is at most alpha. The total and the entries
// are two families of tests. If both have limits, each family gets alpha/2
// (Bonferroni).
//
// Every further test makes the others less sensitive. Therefore, a small entry
// is not tested: its sum, now + base, would not be proven to be a regression
// even if all of it were growth. The rule uses now + base and not now - base,
// because otherwise it would favour entries that grew by chance.
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

// Values are estimates with a sampling error. What counts as a regression:
//   kInterval  growth that is proven to be beyond the limit
//   kPoint     an estimate beyond the limit, whatever its error
//   kStrict    anything that is not proven to be within the limit
enum class NoiseMode : uint8_t { kInterval, kPoint, kStrict };

// "ci", "point", "strict"
std::string_view NoiseModeName(NoiseMode mode);

struct CheckLimits {
  std::optional<double> max_total = {};  // bytes
  std::optional<GrowthLimit> total_growth = {};
  std::optional<GrowthLimit> entry_growth = {};
  // Bytes by which an entry may grow if no sample of the base has it.
  std::optional<double> new_entry = {};
};

// Limits for certain entries. They replace all limits on entries in
// CheckLimits.
struct EntryRule {
  std::string name;  // "rules[0]"
  std::optional<double> max_total = {};
  std::optional<GrowthLimit> growth = {};
  std::optional<double> new_entry = {};
};

// A rule by which findings about certain entries are ignored until a date.
// After that date, the rule itself is a finding.
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
  // Both are indexed like Comparison::entries. An element of `rule_of` is the
  // index in `rules` of the rule for the entry; an element of `ignore_of` is
  // the index in `ignores` of the rule that ignores it. Empty: no such rules.
  std::vector<std::optional<size_t>> rule_of = {};
  std::vector<std::optional<size_t>> ignore_of = {};
};

struct CheckFinding {
  std::string rule;  // "max-growth", "rules[2].max-growth", "ignore[0]" ...
  // Index of Comparison::entries; none: the total, or an expired ignore.
  std::optional<size_t> entry = {};
  bool is_expired_ignore = false;
  Verdict verdict = Verdict::kOk;
  double allowed = 0;          // the most that the limit allows now, in bytes
  bool limits_growth = false;  // not the value itself, as max-total does
  // One-sided bounds of now - allowed, in bytes. Each holds with the
  // probability JudgeOptions::confidence.
  double lower_bound = 0;
  double upper_bound = 0;
  std::vector<std::string> path = {};  // callers of the entry: see PathTo()
  std::string note = {};               // such as the reason of an ignore
};

struct CheckResult {
  Verdict verdict = Verdict::kOk;
  // The verdicts on the total: one element for each of its limits, even if the
  // verdict is kOk.
  std::vector<CheckFinding> totals;
  // Expired ignores, then findings about entries: regressions before
  // inconclusive ones, and those farthest above their limits first. None has
  // the verdict kOk.
  std::vector<CheckFinding> findings;
  std::vector<CheckFinding> ignored;  // findings that an IgnoreRule accepts
  size_t tested = 0;                  // number of tests of entries
  size_t untested = 0;  // number of tests left out: the entry is too small
  // Findings that were dropped, because the growth is that of callees.
  size_t explained = 0;
};

struct JudgeOptions {
  double confidence = 0.95;
  NoiseMode noise = NoiseMode::kInterval;
};

CheckResult Judge(const Profile& profile, const Comparison& comparison,
                  const CheckBudget& budget, const JudgeOptions& options);

// The smallest growth, of the total or of one kind of entry, that can be proven
// with as many samples as the compared dumps have.
struct Detectable {
  enum class Subject : uint8_t { kTotal, kTypicalEntry, kNewEntry };
  Subject subject = Subject::kTotal;
  double base = 0;            // the value in the base, in bytes
  double allowed_growth = 0;  // bytes that the limit allows
  // The smallest growth, in bytes, that 90 % of all comparisons would prove to
  // be beyond the limit.
  double growth = 0;
  // How many times as many samples are needed to prove growth of twice
  // `allowed_growth`; 1 if there are enough samples. Otherwise, the next two
  // members are alternative ways to get them: jemalloc's option lg_prof_sample,
  // or the number of dumps on each side. A way that is not feasible is empty.
  double more_samples = 1;
  std::optional<unsigned> lg_prof_sample = {};
  std::optional<size_t> runs = {};
};

// Returns one element for each Subject whose growth CheckBudget::limits
// restricts.
std::vector<Detectable> FindDetectable(const Comparison& comparison,
                                       const CheckBudget& budget,
                                       const CheckResult& result,
                                       const JudgeOptions& options);

}  // namespace heapprof
