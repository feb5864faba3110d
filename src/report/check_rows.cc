// SPDX-License-Identifier: Apache-2.0
#include "report/check_rows.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/base/base_name.h"
#include "heapprof/view/info.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

std::string Amount(const CheckReport& report, double value) {
  return IsObjectCount(report.comparison.metric)
             ? FormatValue(value, Unit::kObjects)
             : FormatBytes(value);
}

// "14.3 ± 2.1 MiB", or without an error if there is none.
std::string AmountWithError(const CheckReport& report, double value,
                            const Interval& interval) {
  const double error = (interval.upper - interval.lower) / 2;
  return error > 0 && !IsObjectCount(report.comparison.metric)
             ? FormatWithError(value, error)
             : Amount(report, value);
}

std::string ChangeOf(const CheckReport& report, const ComparisonEntry& entry) {
  return (entry.change > 0 ? "+" : "") +
         AmountWithError(report, entry.change, entry.interval);
}

CheckRow RowOf(const CheckReport& report, const ComparisonEntry& entry) {
  return {.before =
              entry.is_new ? "-" : Amount(report, entry.growth.base.mean.value),
          .after = Amount(report, entry.growth.now.mean.value),
          .change = ChangeOf(report, entry),
          .allowed = {},
          .verdict = {},
          .name = entry.name,
          .note = {},
          .path = {}};
}

void AddNote(std::string_view text, std::string& note) {
  if (text.empty()) return;
  if (!note.empty()) note += ", ";
  note += text;
}

// "old.heap", "old.heap and 2 more runs"
std::string FilesOf(const std::vector<ComparedDump>& dumps) {
  std::string text(BaseName(dumps.front().path));
  if (const size_t more = dumps.size() - 1; more > 0)
    text += fmt::format(" and {} more run{}", more, more == 1 ? "" : "s");
  return text;
}

std::string SamplingOf(const ComparedSide& side) {
  if (side.is_exact) return "every allocation counted";
  if (side.period == 0) return "sampling period not known";
  std::string text = fmt::format("one sample per {}", FormatSize(side.period));
  if (side.dispersion > 1)
    text += fmt::format(", runs vary {:.2g} times as much as samples do",
                        std::sqrt(side.dispersion));
  return text;
}

size_t Count(const CheckReport& report, Verdict verdict, bool expired) {
  return static_cast<size_t>(std::ranges::count_if(
      report.result.findings, [&](const CheckFinding& finding) {
        return finding.verdict == verdict &&
               finding.is_expired_ignore == expired;
      }));
}

bool TotalIs(const CheckReport& report, Verdict verdict) {
  return std::ranges::any_of(report.result.totals,
                             [verdict](const CheckFinding& finding) {
                               return finding.verdict == verdict;
                             });
}

// "the total and 2 functions"; empty if nothing has this verdict.
std::string SubjectsOf(const CheckReport& report, Verdict verdict) {
  std::vector<std::string> subjects;
  if (TotalIs(report, verdict)) subjects.emplace_back("the total");
  if (const size_t count = Count(report, verdict, false); count > 0)
    subjects.push_back(CountOfEntries(count, report.comparison.by));
  return fmt::format("{}", fmt::join(subjects, " and "));
}

std::string_view HowFar(const CheckReport& report) {
  switch (report.options.noise) {
    case NoiseMode::kInterval:
      return "over the limit";
    case NoiseMode::kPoint:
      return "over the limit, sampling noise not considered";
    case NoiseMode::kStrict:
      return "not proven to be within the limit";
  }
  return "";
}

std::string SubjectOf(const CheckReport& report, const Detectable& row) {
  const std::string_view by = CompareByName(report.comparison.by);
  switch (row.subject) {
    case Detectable::Subject::kTotal:
      return "the total";
    case Detectable::Subject::kTypicalEntry:
      return fmt::format("a {} of {}", by, Amount(report, row.base));
    case Detectable::Subject::kNewEntry:
      return fmt::format("a new {}", by);
  }
  return "";
}

}  // namespace

CheckRow MakeCheckRow(const CheckReport& report, const CheckFinding& finding) {
  if (finding.is_expired_ignore)
    return {.before = {},
            .after = {},
            .change = {},
            .allowed = {},
            .verdict = std::string(VerdictName(finding.verdict)),
            .name = finding.rule,
            .note = finding.note,
            .path = {}};
  CheckRow row =
      RowOf(report, finding.entry ? report.comparison.entries[*finding.entry]
                                  : report.comparison.total);
  row.allowed = Amount(report, finding.allowed);
  row.verdict = VerdictName(finding.verdict);
  if (finding.entry && report.comparison.entries[*finding.entry].is_new)
    AddNote("new", row.note);
  AddNote(finding.rule, row.note);
  AddNote(finding.note, row.note);
  row.path = fmt::format("{}", fmt::join(finding.path, " > "));
  return row;
}

CheckRow MakeTotalRow(const CheckReport& report) {
  return RowOf(report, report.comparison.total);
}

std::string CountOfEntries(size_t count, CompareBy by) {
  return fmt::format("{} {}", count,
                     count == 1 ? CompareByName(by) : CompareByPlural(by));
}

std::string VerdictSentence(const CheckReport& report) {
  const std::string certain = SubjectsOf(report, Verdict::kRegression);
  const std::string possible = SubjectsOf(report, Verdict::kInconclusive);
  std::vector<std::string> parts;
  if (!certain.empty())
    parts.push_back(fmt::format("{} {}", certain, HowFar(report)));
  if (const size_t count = Count(report, Verdict::kRegression, true); count > 0)
    parts.push_back(
        fmt::format("{} expired ignore{}", count, count == 1 ? "" : "s"));
  if (!possible.empty())
    parts.push_back(fmt::format(
        "{} over the limit, but by no more than sampling noise", possible));
  if (parts.empty()) return "nothing over its limit";
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string SideSentence(const CheckReport& report, Side which) {
  const auto index = static_cast<size_t>(which);
  const std::vector<ComparedDump>& dumps = report.dumps[index];
  const ComparedSide& side = report.comparison.sides[index];
  const Growth& growth = report.comparison.total.growth;
  const Estimate& total =
      which == Side::kNew ? growth.now.mean : growth.base.mean;
  if (dumps.empty()) return "none";
  std::string text =
      fmt::format("{} in {}", AmountWithError(report, total.value, side.total),
                  FilesOf(dumps));
  text += ", " + SamplingOf(side);
  constexpr size_t kEnough = 12;
  const std::string& build_id = dumps.front().build_id;
  if (!build_id.empty())
    text += fmt::format(", build {}", build_id.substr(0, kEnough));
  return text;
}

std::string MethodSentence(const CheckReport& report) {
  const CheckResult& result = report.result;
  std::string text =
      fmt::format("{} by {}", MetricName(report.comparison.metric),
                  CompareByName(report.comparison.by));
  if (report.options.noise != NoiseMode::kPoint)
    text +=
        fmt::format(", {:.4g} % confidence", 100 * report.options.confidence);
  if (result.tested + result.untested > 0)
    text += fmt::format(": {} tested, {} too small to matter", result.tested,
                        result.untested);
  return text;
}

std::vector<std::string> DetectableSentences(const CheckReport& report) {
  std::vector<std::string> sentences;
  for (const Detectable& row : report.detectable) {
    std::string text = fmt::format(
        "{}: growth of {} is proven in 9 of 10 cases, {} is allowed",
        SubjectOf(report, row), Amount(report, row.growth),
        Amount(report, row.allowed_growth));
    if (row.more_samples > 1)
      text += fmt::format(
          "; to prove twice that, use lg_prof_sample:{} or {} runs per side",
          *row.lg_prof_sample, *row.runs);
    sentences.push_back(std::move(text));
  }
  return sentences;
}

}  // namespace heapprof
