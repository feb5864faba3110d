// SPDX-License-Identifier: Apache-2.0
//
// What the reports of `heapprof trend` say in words.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "heapprof/report/trend.h"

namespace heapprof {

// "+3.1 ± 0.4 MiB"
std::string RateText(const Slope& slope);
// The same, with a unit that follows it, for a table: empty for a row of a
// single dump, which has no rate.
std::string RateCell(const TrendRow& row, const Slope& slope,
                     std::string_view unit = "");

// "per hour"
std::string_view RateHeading(TrendAxis axis);

// "41 dumps in 16 hours, 2026-11-23 04:25:41 to 2026-11-23 20:25:41 UTC"
std::string DumpsText(const TrendTable& table);

// What a row of `table` does, in a word: TrendLabelName(), unless there are too
// few dumps to tell.
std::string_view CourseName(const TrendTable& table, const TrendRow& row);
// What the process does, in a word.
std::string_view CourseName(const TrendSeries& series);

// "nothing is proven to grow in 2 other processes"; empty if one of `all` is
// worth a look. `other` is "" or " other".
std::string QuietSentence(std::span<const TrendSeries* const> all,
                          std::string_view other);

// The verdict of --fail-on, and what would prove it if it is inconclusive.
std::string JudgementSentence(const TrendSeries& series,
                              const TrendLimit& limit);

}  // namespace heapprof
