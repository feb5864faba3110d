// SPDX-License-Identifier: Apache-2.0
#include "report/trend_sentences.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ranges>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "heapprof/base/counted.h"
#include "heapprof/base/nanoseconds.h"
#include "heapprof/base/nearly_all.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/utc_time.h"
#include "heapprof/check/finding.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/report/trend.h"
#include "heapprof/view/units.h"
#include "report/fit_name.h"

namespace heapprof {
namespace {

// True if there are too few to tell a trend.
bool HasFewDumps(const TrendTable& table) {
  return table.dumps.size() < kFewestPoints;
}

// False if a smaller lg_prof_sample would not make the numbers more exact.
bool IsSampled(const TrendTable& table) {
  return table.by != TrendBy::kRss && !SamplesEverything(table.sampling_period);
}

std::string WithoutPlus(std::string text) {
  if (text.starts_with('+')) text.erase(0, 1);
  return text;
}

std::string Duration(double hours) {
  struct TimeUnit {
    std::string_view name;
    double hours;
  };
  constexpr TimeUnit kUnits[] = {{"years", 8766},
                                 {"days", 24},
                                 {"hours", 1},
                                 {"minutes", 1.0 / 60},
                                 {"seconds", 1.0 / 3600}};
  constexpr double kFewest = 2;
  for (const TimeUnit& unit : kUnits)
    if (hours >= kFewest * unit.hours || &unit == std::end(kUnits) - 1) {
      const double count = std::round(hours / unit.hours);
      return count == 1 ? "1 second"
                        : fmt::format("{:.0f} {}", count, unit.name);
    }
  return "";
}

// The next round size that the total reaches if it grows like this.
std::string Outlook(const TrendTable& table, double rate) {
  const double last = table.total.last();
  if (rate <= 0 || last <= 0 || table.total.trend.all.value <= 0) return "";
  const double size = std::exp2(std::ceil(std::log2(2 * last)));
  const double left = (size - last) / rate;
  // Only a hostile dump holds so much.
  constexpr double kTooLarge = 0x1p60;
  if (size > kTooLarge) return "";
  std::string when;
  constexpr double kTooLong = 24 * 365.25 * 100;
  switch (table.axis) {
    case TrendAxis::kHours:
      if (left > kTooLong) return "";
      when = "in " + Duration(left);
      break;
    case TrendAxis::kDumps:
      when = fmt::format("after {:.0f} more dumps", std::ceil(left));
      break;
    default:
      when = fmt::format("when it has allocated {} more",
                         FormatBytes(left * 0x1p30));
  }
  return fmt::format("; at this rate, the process holds {} {}",
                     FormatSize(static_cast<uint64_t>(size)), when);
}

// "is" steady, "has" dropped
std::string_view VerbBefore(TrendLabel label) {
  switch (label) {
    case TrendLabel::kPlateaued:
    case TrendLabel::kDropped:
      return "has";
    case TrendLabel::kSawtooth:
    case TrendLabel::kSpike:
      return "is a";
    default:
      return "is";
  }
}

// Says that only growth far above the limit could have been found; empty if
// less could have been.
std::string PowerText(const TrendTable& table, const TrendLimit& limit,
                      double provable) {
  if (provable < 1 || provable <= kFarAboveLimit * limit.rate) return "";
  return fmt::format(
      "; these dumps would prove growth of the total only from {}{} on",
      FormatSize(static_cast<uint64_t>(provable)), TrendAxisUnit(table.axis));
}

bool IsGrowingCode(const TrendRow& row) {
  return row.label == TrendLabel::kGrowing && row.key != kOutsideOwnCode;
}

// "3.1 ± 0.4 MiB/h"
std::string GrowthRate(const TrendTable& table, const TrendRow& row) {
  return WithoutPlus(RateText(row.trend.all)) +
         std::string(TrendAxisUnit(table.axis));
}

// "by 3.1 ± 0.4 MiB/h"; if the line through all dumps proves no growth, because
// it all came at once, "from 1.0 MiB to 8.2 MiB".
std::string GrowthSoFar(const TrendTable& table, const TrendRow& row) {
  if (ConfidenceInterval(row.trend.all, kConfidence).lower > 0)
    return "by " + GrowthRate(table, row);
  return fmt::format("from {} to {}", FormatBytes(row.first()),
                     FormatBytes(row.last()));
}

// The rate that the text shows may be above the limit for sure, but hardly ever
// that of the last dumps, too: ", lately by +0.8 ± 1.9 MiB/h".
std::string LatelyText(const TrendTable& table, const TrendRow& row,
                       const TrendLimit& limit) {
  if (ConfidenceInterval(row.trend.all, kConfidence).lower <= limit.rate)
    return "";
  const Slope& lately = LowerBound(row.trend.without_last, kTrendTail) <
                                LowerBound(row.trend.last_half, kTrendTail)
                            ? row.trend.without_last
                            : row.trend.last_half;
  return fmt::format(", lately by {}{}", RateText(lately),
                     TrendAxisUnit(table.axis));
}

std::string NameInSentence(const TrendRow& row) {
  constexpr size_t kLongest = 60;
  return FitFunction(Printable(row.name), kLongest);
}

// What is said if no row is proven to grow.
std::string SentenceOnTotal(const TrendTable& table) {
  const TrendRow& total = table.total;
  auto grown =
      table.rows | std::views::filter([](const TrendRow& row) {
        return row.label == TrendLabel::kUnclear && row.key != kOutsideOwnCode;
      });
  if (total.label == TrendLabel::kUnclear && !grown.empty()) {
    const TrendRow& most = *std::ranges::max_element(
        grown, {}, [](const TrendRow& row) { return row.trend.all.value; });
    return fmt::format(
        "has grown {} in {}; more dumps{} would tell whether it still does",
        GrowthSoFar(table, most), NameInSentence(most),
        IsSampled(table) ? ", or a smaller lg_prof_sample," : "");
  }
  if (total.label == TrendLabel::kGrowing) {
    // A function that allocates for others may hide which of them grows.
    const bool may_hide =
        table.by != TrendBy::kStack && table.by != TrendBy::kRss;
    return fmt::format(
        "grows by {} in all, though nothing alone is proven to grow{}{}",
        GrowthRate(table, total),
        may_hide ? "; --by stack tells callers apart" : "",
        Outlook(table, total.trend.all.value));
  }
  return fmt::format("nothing is proven to grow: the total {} {}, {}{}",
                     VerbBefore(total.label), TrendLabelName(total.label),
                     RateText(total.trend.all), TrendAxisUnit(table.axis));
}

// What is said if `row` is the first that is proven to grow.
std::string SentenceOnRow(const TrendTable& table, const TrendRow& row) {
  const bool total_grows = table.total.label == TrendLabel::kGrowing;
  ptrdiff_t others = -1;
  double all = 0;
  for (const TrendRow& one : table.rows | std::views::filter(IsGrowingCode)) {
    ++others;
    all += one.trend.all.value;
  }
  if (total_grows) all = table.total.trend.all.value;
  const bool is_small = total_grows && !IsNearlyAll(row.trend.all.value, all);
  return fmt::format(
      "grows by {}{}{} in {}{}{}",
      is_small ? GrowthRate(table, table.total) + " in all, " : "",
      GrowthRate(table, row), is_small ? " of it" : "", NameInSentence(row),
      others == 0 ? "" : fmt::format(" and in {} more", others),
      Outlook(table, all));
}

}  // namespace

std::string RateText(const Slope& slope) {
  return FormatChange(slope.value, ConfidenceInterval(slope, kConfidence));
}

std::string RateCell(const TrendRow& row, const Slope& slope,
                     std::string_view unit) {
  return row.HasRate() ? RateText(slope) + std::string(unit) : "";
}

std::string_view RateHeading(TrendAxis axis) {
  constexpr std::string_view kHeadings[] = {"per hour", "per dump",
                                            "per GiB allocated"};
  return kHeadings[static_cast<size_t>(axis)];
}

std::string DumpsText(const TrendTable& table) {
  const auto& dumps = table.dumps;
  const uint64_t written = dumps.back().sequence - dumps.front().sequence + 1;
  std::string text = written > dumps.size()
                         ? fmt::format("{} of {} dumps", dumps.size(), written)
                         : Counted(dumps.size(), "dump");
  const int64_t first = dumps.front().time_ns, last = dumps.back().time_ns;
  if (dumps.size() == 1 && first != 0)
    return text + ", " + UtcTime(first / kNanosecondsPerSecond);
  if (!HasAxis(dumps, TrendAxis::kHours)) return text;
  if (last - first < kNanosecondsPerSecond / 2)
    return text + " within a second, " + UtcTime(first / kNanosecondsPerSecond);
  const double hours =
      static_cast<double>(last - first) / double{kNanosecondsPerHour};
  return fmt::format("{} in {}, {:%F %T} to {:%F %T} UTC", text,
                     Duration(hours),
                     fmt::gmtime(first / kNanosecondsPerSecond),
                     fmt::gmtime(last / kNanosecondsPerSecond));
}

std::string TrendSentence(const TrendTable& table) {
  if (HasFewDumps(table))
    return fmt::format(
        "{} {} too few to tell a trend: {} would do", table.dumps.size(),
        table.dumps.size() == 1 ? "dump is" : "dumps are", kFewestPoints);
  const auto growing = std::ranges::find_if(table.rows, IsGrowingCode);
  return growing == table.rows.end() ? SentenceOnTotal(table)
                                     : SentenceOnRow(table, *growing);
}

std::string_view CourseName(const TrendTable& table, const TrendRow& row) {
  return HasFewDumps(table) ? "few dumps" : TrendLabelName(row.label);
}

std::string_view CourseName(const TrendSeries& series) {
  return Grows(series.table) ? TrendLabelName(TrendLabel::kGrowing)
                             : CourseName(series.table, series.table.total);
}

std::string QuietSentence(std::span<const TrendSeries* const> all,
                          std::string_view other) {
  if (std::ranges::any_of(all, [](const auto* one) { return IsSuspect(*one); }))
    return "";
  return fmt::format("{} in {}{} {}",
                     std::ranges::all_of(all, HasFewDumps, &TrendSeries::table)
                         ? "too few dumps to tell a trend"
                         : "nothing is proven to grow",
                     all.size(), other,
                     all.size() == 1 ? "process" : "processes");
}

std::string JudgementSentence(const TrendSeries& series,
                              const TrendLimit& limit) {
  const TrendJudgement& judgement = *series.judgement;
  const TrendTable& table = series.table;
  if (judgement.has_few_dumps)
    return fmt::format("inconclusive: {} needs {} dumps or more, found {}",
                       Printable(limit.text), kFewestPoints,
                       table.dumps.size());
  if (judgement.findings.empty())
    return fmt::format("ok: no {}{}", Printable(limit.text),
                       PowerText(table, limit, judgement.provable));
  const auto worst = std::ranges::max_element(
      judgement.findings, {}, [](const TrendFinding& finding) {
        return std::pair(finding.verdict, finding.row.has_value());
      });
  const TrendRow& row = worst->row ? table.rows[*worst->row] : table.total;
  std::string text = fmt::format(
      "{}: {}: {} by {}{}", VerdictName(worst->verdict), Printable(limit.text),
      Printable(row.name), RateText(row.trend.all), TrendAxisUnit(table.axis));
  if (worst->verdict != Verdict::kInconclusive) return text;
  text += LatelyText(table, row, limit);
  // The growth beyond the limit is then at most a fifth of its standard error:
  // a tenth of the distance to its bound.
  constexpr double kMost = 100;
  if (worst->needed > kMost) return text + ", which is within the noise";
  text += fmt::format(
      ", which is not proven; {:.0f} dumps over {:.1f} times as long would do",
      std::ceil(worst->needed * static_cast<double>(table.dumps.size())),
      worst->needed);
  if (IsSampled(table))
    text += fmt::format(", or lg_prof_sample smaller by {:.0f}",
                        std::max(1.0, std::ceil(std::log2(worst->needed))));
  return text;
}

std::string TrendHeadline(const TrendReport& report) {
  if (report.series.size() == 1)
    return JudgementSentence(report.series.front(), *report.limit);
  const auto count = [&report](Verdict verdict) {
    return std::ranges::count_if(report.series, [=](const auto& series) {
      return series.judgement && series.judgement->verdict == verdict;
    });
  };
  const auto failed = count(Verdict::kRegression);
  const auto open = count(Verdict::kInconclusive);
  std::string text =
      fmt::format("{}: {} of {} processes {}", report.limit->text, failed,
                  report.series.size(), failed == 1 ? "fails" : "fail");
  if (open != 0)
    text += fmt::format(", {} {} inconclusive", open, open == 1 ? "is" : "are");
  return text;
}

}  // namespace heapprof
