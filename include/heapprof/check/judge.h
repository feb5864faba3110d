// SPDX-License-Identifier: Apache-2.0
//
// Judges a comparison by the limits of budgets: the verdict of `heapprof
// check`.
//
// Let alpha be 1 - CheckSettings::Confidence(). The probability that any
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
#include <optional>
#include <string>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/check/budgets.h"
#include "heapprof/check/finding.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

struct CheckFinding {
  std::string rule;  // "max-growth", "rules[2].max-growth", "ignore[0]" ...
  // Index of Comparison::entries; only of kEntry.
  std::optional<size_t> entry = {};
  FindingKind kind = FindingKind::kTotal;  // kTotal, kEntry or kExpiredIgnore
  Verdict verdict = Verdict::kOk;
  double allowed = 0;          // the most that the limit allows now, in bytes
  bool limits_growth = false;  // not the value itself, as max-total does
  // One-sided bounds of now - allowed, in bytes. Each holds with the
  // probability CheckSettings::Confidence().
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

// Which code is judged.
struct JudgedCode {
  // Which of Profile::lines are own code; empty if no entry is limited.
  std::vector<bool> is_own = {};
  // Functions, files and modules without own code are not judged, unless they
  // allocate or have a rule. What libraries call counts for the own code that
  // called them, and every further test makes the others less sensitive.
  bool only_own = false;
};

struct Judgement {
  Comparison comparison;  // without entries unless they are limited
  CheckResult result;
};

// Compares the two sides of `profile` and judges what grew. The paths to
// findings begin at the first own function. Adds a note to `diagnostics` for
// each rule that matches no entry. Fails if a pattern takes too long to match,
// or if there are only limits of rules and none matches.
Result<Judgement> JudgeProfile(const Profile& profile, Metric metric,
                               const Budgets& budgets, const JudgedCode& code,
                               Diagnostics& diagnostics);

// Judges a comparison of `profile`. The paths to findings begin at the root.
// Of entries without a rule, only `is_judged` are judged; empty: all.
Result<CheckResult> Judge(const Profile& profile, const Comparison& comparison,
                          const std::vector<bool>& is_judged,
                          const Budgets& budgets, Diagnostics& diagnostics);

}  // namespace heapprof
