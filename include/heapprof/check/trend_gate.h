// SPDX-License-Identifier: Apache-2.0
//
// The gate of `heapprof trend --fail-on`: does anything grow faster than a
// limit? As a label, growth counts only if it is proven both over all dumps and
// over the last half of them. The total and the rows are two families of tests;
// the rows share the level of theirs (see TrendTable::TailOfRows()).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/check/finding.h"
#include "heapprof/view/trend_table.h"

namespace heapprof {

// Returns what a unit of --per or of a limit stands for: "h", "hour", "dump",
// "GiB" or "gib".
std::optional<TrendAxis> FindTrendAxis(std::string_view unit);

// "growth>1MiB/h"
struct TrendLimit {
  double rate = 0;  // bytes per unit of the axis
  TrendAxis axis = TrendAxis::kHours;
  std::string text = {};  // as the user wrote it
};

std::optional<TrendLimit> ParseTrendLimit(std::string_view text);

inline constexpr std::string_view kExpectedTrendLimit =
    "a limit such as 'growth>1MiB/h', in a unit per h, dump or GiB";

struct TrendFinding {
  std::optional<size_t> row = {};  // none: the total
  Verdict verdict = Verdict::kOk;
  double lower_bound = 0;  // of the rate
  // Of an inconclusive finding: how many times as long the same growth would
  // have to be watched, or how many times as many samples taken, to prove it.
  double needed = 0;
};

struct TrendJudgement {
  Verdict verdict = Verdict::kOk;
  // There are fewer than kFewestPoints dumps, so nothing is judged.
  bool has_few_dumps = false;
  // About the smallest rate of the total that would be proven to be above the
  // limit with as much noise as there is.
  double provable = 0;
  std::vector<TrendFinding> findings = {};  // none has the verdict kOk
};

// The axis of the table must be that of the limit.
TrendJudgement JudgeTrend(const TrendTable& table, const TrendLimit& limit);

// Returns the exit status of `heapprof trend`.
int StatusOfTrend(Verdict verdict);

}  // namespace heapprof
