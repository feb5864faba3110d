// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/trend_gate.h"

#include <algorithm>
#include <iterator>

#include "heapprof/check/limits.h"

namespace heapprof {
namespace {

struct RateUnit {
  std::string_view name;
  TrendAxis axis;
};
constexpr RateUnit kRateUnits[] = {{"h", TrendAxis::kHours},
                                   {"hour", TrendAxis::kHours},
                                   {"dump", TrendAxis::kDumps},
                                   {"GiB", TrendAxis::kGigabytes},
                                   {"gib", TrendAxis::kGigabytes}};

// How many times as much information would prove that `slope` is above the
// limit. The error of memory that piles up shrinks with the square root of the
// time.
double NeededFor(const Slope& slope, double limit, double tail) {
  const double excess = slope.value - limit;
  const double room = slope.value - LowerBound(slope, tail);
  return std::max(1.0, room / excess * (room / excess));
}

// What a row is judged by.
struct RowLimit {
  double rate = 0;
  double tail = 0;          // of the bound that must be above `rate`
  bool is_of_many = false;  // some of many rows grow by chance
};

// Returns by how much the lower bound of a rate is below the rate.
double RoomBelow(const Trend& trend, double tail) {
  double room = 0;
  for (const Slope* slope : {&trend.all, &trend.last_half, &trend.without_last})
    room = std::max(room, slope->value - LowerBound(*slope, tail));
  return room;
}

TrendFinding JudgeRow(const TrendRow& row, const RowLimit& limits) {
  const auto& [limit, tail, is_of_many] = limits;
  const auto& [all, half, without_last] = row.trend;
  TrendFinding finding = {.lower_bound = row.trend.LowerBound(tail)};
  if (finding.lower_bound > limit) {
    finding.verdict = Verdict::kRegression;
  } else if (std::min({all.value, half.value, without_last.value}) > limit &&
             (!is_of_many || LowerBound(all, kTrendTail) > limit)) {
    // One of many rows that may be more than chance has grown over all dumps.
    finding.verdict = Verdict::kInconclusive;
    finding.needed =
        std::max({NeededFor(all, limit, tail), NeededFor(half, limit, tail),
                  NeededFor(without_last, limit, tail)});
  }
  return finding;
}

}  // namespace

std::optional<TrendAxis> FindTrendAxis(std::string_view unit) {
  const auto* const found =
      std::ranges::find(kRateUnits, unit, &RateUnit::name);
  if (found == std::end(kRateUnits)) return std::nullopt;
  return found->axis;
}

std::optional<TrendLimit> ParseTrendLimit(std::string_view text) {
  TrendLimit limit = {.text = std::string(text)};
  std::string compact(text);
  std::erase(compact, ' ');
  constexpr std::string_view kGrowth = "growth>";
  if (!compact.starts_with(kGrowth)) return std::nullopt;
  const std::string_view rate =
      std::string_view(compact).substr(kGrowth.size());
  const size_t slash = rate.find('/');
  if (slash == rate.npos) return std::nullopt;
  const auto axis = FindTrendAxis(rate.substr(slash + 1));
  const auto size = ParseSize(rate.substr(0, slash));
  if (!axis || !size || !WhyUnclear(*size).empty()) return std::nullopt;
  limit.rate = size->value;
  limit.axis = *axis;
  return limit;
}

TrendJudgement JudgeTrend(const TrendTable& table, const TrendLimit& limit) {
  TrendJudgement judgement = {
      .provable = limit.rate + RoomBelow(table.total.trend, kTrendTail)};
  if (table.dumps.size() < kFewestPoints)
    return {.verdict = Verdict::kInconclusive, .has_few_dumps = true};
  const auto add = [&](const TrendFinding& finding) {
    if (finding.verdict == Verdict::kOk) return;
    judgement.verdict = std::max(judgement.verdict, finding.verdict);
    judgement.findings.push_back(finding);
  };
  add(JudgeRow(table.total, {.rate = limit.rate, .tail = kTrendTail}));
  for (size_t i = 0; i < table.rows.size(); ++i) {
    TrendFinding finding = JudgeRow(
        table.rows[i],
        {.rate = limit.rate, .tail = table.TailOfRows(), .is_of_many = true});
    finding.row = i;
    add(finding);
  }
  return judgement;
}

int StatusOfTrend(Verdict verdict) {
  if (verdict == Verdict::kInconclusive) return kExitCheckFailed;
  return verdict == Verdict::kRegression ? kExitFinding : 0;
}

}  // namespace heapprof
