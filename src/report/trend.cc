// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/trend.h"

#include <algorithm>

namespace heapprof {

bool Grows(const TrendTable& table) {
  const auto grows = [](const TrendRow& row) {
    return row.label == TrendLabel::kGrowing;
  };
  return grows(table.total) || std::ranges::any_of(table.rows, grows);
}

bool IsSuspect(const TrendSeries& series) {
  return Grows(series.table) ||
         (series.judgement && series.judgement->verdict != Verdict::kOk);
}

Verdict TrendReport::WorstVerdict() const {
  Verdict worst = Verdict::kOk;
  for (const TrendSeries& one : series)
    if (one.judgement) worst = std::max(worst, one.judgement->verdict);
  return worst;
}

}  // namespace heapprof
