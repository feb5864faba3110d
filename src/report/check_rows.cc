// SPDX-License-Identifier: Apache-2.0
#include "report/check_rows.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"
#include "heapprof/check/finding.h"
#include "heapprof/view/confidence_text.h"
#include "heapprof/view/metric_words.h"
#include "report/comparison_parts.h"
#include "report/fit_name.h"

namespace heapprof {
namespace {

std::string Amount(const CheckReport& report, double value) {
  return AmountCell(report.comparison, value);
}

// Returns "+4.8 MiB" for a limit on growth, because it stands beside the
// growth, and "2.0 GiB" for a limit on the value.
std::string AllowedText(const CheckReport& report,
                        const CheckFinding& finding) {
  if (!finding.limits_growth) return Amount(report, finding.allowed);
  const double before = report.SubjectOf(finding).growth.base.mean.value;
  return "+" + Amount(report, std::max(0.0, finding.allowed - before));
}

// Makes a row with the values of `entry`. If the check has no base, the cells
// for the value before and for the change stay empty.
CheckRow RowOf(const CheckReport& report, const ComparisonEntry& entry,
               std::array<std::string, 3> changes) {
  auto& [before, after, change] = changes;
  CheckRow row = {
      .after = std::move(after),
      .name = std::string(InRepository(entry.name, report.source_root))};
  if (!report.HasBase()) return row;
  row.before = std::move(before);
  row.change = std::move(change);
  return row;
}

CheckRow RowOf(const CheckReport& report, const CheckFinding& finding) {
  if (!finding.entry) return MakeTotalRow(report);
  const ComparisonEntry& entry = report.SubjectOf(finding);
  return RowOf(report, entry, MarkedChangeCells(report.comparison, entry));
}

// Returns the callers of the entry: "main > Serve > Handle".
std::string PathOf(const CheckReport& report, const CheckFinding& finding) {
  constexpr size_t kLongestCaller = 48;
  std::vector<std::string> callers;
  for (const std::string& name : finding.path)
    callers.push_back(
        FitFunction(InRepository(name, report.source_root), kLongestCaller));
  return fmt::format("{}", fmt::join(callers, " > "));
}

void AddNote(std::string_view text, std::string& note) {
  if (text.empty()) return;
  if (!note.empty()) note += ", ";
  note += text;
}

// Counts the entries with the given verdict; one that breaks several limits
// counts once.
size_t CountEntries(const CheckReport& report, Verdict verdict) {
  std::set<size_t> entries;
  for (const CheckFinding& finding : report.result.findings)
    if (finding.entry && finding.verdict == verdict)
      entries.insert(*finding.entry);
  return entries.size();
}

size_t CountExpiredIgnores(const CheckReport& report) {
  return static_cast<size_t>(std::ranges::count(report.result.findings,
                                                FindingKind::kExpiredIgnore,
                                                &CheckFinding::kind));
}

bool TotalIs(const CheckReport& report, Verdict verdict) {
  return std::ranges::any_of(report.result.totals,
                             [verdict](const CheckFinding& finding) {
                               return finding.verdict == verdict;
                             });
}

// Returns what has the given verdict: "the total and 2 functions"; empty if
// nothing has it.
std::string SubjectsOf(const CheckReport& report, Verdict verdict) {
  std::vector<std::string> subjects;
  if (TotalIs(report, verdict)) subjects.emplace_back("the total");
  if (const size_t count = CountEntries(report, verdict); count > 0)
    subjects.push_back(Counted(count, CompareByName(report.comparison.by)));
  return fmt::format("{}", fmt::join(subjects, " and "));
}

std::string_view HowFar(const CheckReport& report) {
  switch (report.budgets.settings.Noise()) {
    case NoiseMode::kInterval:
      return "over the limit";
    case NoiseMode::kPoint:
      return "over the limit, sampling noise not considered";
    case NoiseMode::kStrict:
      return "not proven to be within the limit";
  }
  return "";
}

// True if values have errors only because runs differ.
bool CountsEveryAllocation(const CheckReport& report) {
  return std::ranges::all_of(kSides, [&report](Side side) {
    return report.comparison.sides[side].is_exact;
  });
}

// Says how to get as many samples as a Detectable needs.
std::string MoreSamplesText(const Detectable& row, bool is_exact) {
  std::vector<std::string> ways;
  if (row.lg_prof_sample)
    ways.push_back(fmt::format("lg_prof_sample:{}", *row.lg_prof_sample));
  if (row.runs) ways.push_back(fmt::format("{} runs per side", *row.runs));
  if (ways.empty())
    return std::string("; to prove twice that, allow more growth") +
           (is_exact ? ""
                     : ", or sample every allocation with lg_prof_sample:0");
  return fmt::format("; to prove twice that, use {}", fmt::join(ways, " or "));
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

std::string_view InRepository(std::string_view file, std::string_view root) {
  if (root.empty() || !file.starts_with(root)) return file;
  const std::string_view rest = file.substr(root.size());
  return rest.starts_with('/') ? rest.substr(1) : file;
}

CheckRow MakeCheckRow(const CheckReport& report, const CheckFinding& finding) {
  if (finding.kind == FindingKind::kExpiredIgnore)
    return {.verdict = std::string(VerdictName(finding.verdict)),
            .name = finding.rule,
            .note = finding.note};
  CheckRow row = RowOf(report, finding);
  row.allowed = AllowedText(report, finding);
  row.verdict = VerdictName(finding.verdict);
  AddNote(finding.rule, row.note);
  AddNote(finding.note, row.note);
  row.path = PathOf(report, finding);
  return row;
}

CheckRow MakeTotalRow(const CheckReport& report) {
  const ComparisonEntry& total = report.comparison.total;
  CheckRow row = RowOf(report, total, ChangeCells(report.comparison, total));
  row.is_total = true;
  return row;
}

std::string GrowthSentence(const CheckRow& row) {
  std::string text = row.after;
  if (row.before == "new")
    text = "new, " + row.after;
  else if (!row.before.empty())
    text = fmt::format("{} to {} ({})", row.before, row.after, row.change);
  return fmt::format("{}, allowed {}", text, row.allowed);
}

std::string VerdictSentence(const CheckReport& report) {
  const std::string certain = SubjectsOf(report, Verdict::kRegression);
  const std::string possible = SubjectsOf(report, Verdict::kInconclusive);
  std::vector<std::string> parts;
  if (!certain.empty())
    parts.push_back(fmt::format("{} {}", certain, HowFar(report)));
  if (const size_t count = CountExpiredIgnores(report); count > 0)
    parts.push_back(Counted(count, "expired ignore"));
  if (!possible.empty())
    parts.push_back(
        fmt::format("{} may be over the limit, not proven", possible));
  if (parts.empty()) return "nothing over its limit";
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string CheckHeadline(const CheckReport& report) {
  return fmt::format("{}: {}", VerdictName(report.result.verdict),
                     VerdictSentence(report));
}

std::string SideSentence(const CheckReport& report, Side side) {
  const auto& dumps = report.dumps[side];
  if (dumps.empty()) return "none";
  return fmt::format("{}{}{}: {}", BaseName(dumps.front().path),
                     MoreDumps(dumps), BuildText(dumps.front()),
                     SideText(report.comparison, side));
}

std::string MethodSentence(const CheckReport& report) {
  const CheckResult& result = report.result;
  std::string text(MetricName(report.comparison.metric));
  if (report.HasBase())
    text += fmt::format(" by {}", CompareByName(report.comparison.by));
  if (report.budgets.settings.Noise() != NoiseMode::kPoint)
    text += fmt::format(", {} confidence",
                        ConfidenceText(report.budgets.settings.Confidence()));
  if (result.tested + result.untested > 0)
    text += fmt::format(": {} tested, {} too small to matter", result.tested,
                        result.untested);
  return text;
}

std::string PowerSentence(const CheckReport& report) {
  if (report.result.verdict == Verdict::kRegression ||
      report.budgets.settings.Noise() != NoiseMode::kInterval)
    return "";
  const Detectable* weakest = nullptr;
  double most = kFarAboveLimit;
  for (const Detectable& row : report.detectable)
    if (row.allowed_growth > 0 && row.growth > most * row.allowed_growth) {
      most = row.growth / row.allowed_growth;
      weakest = &row;
    }
  if (weakest == nullptr) return "";
  return fmt::format(
      "{} for this limit: growth of {} is proven only from {} on, {} is "
      "allowed; --explain says what helps",
      CountsEveryAllocation(report) ? "Runs differ too much"
                                    : "Too few samples",
      SubjectOf(report, *weakest), Amount(report, weakest->growth),
      Amount(report, weakest->allowed_growth));
}

std::vector<std::string> DetectableSentences(const CheckReport& report) {
  std::vector<std::string> sentences;
  if (!report.explains) return sentences;
  for (const Detectable& row : report.detectable) {
    if (row.growth <= row.allowed_growth) {
      sentences.push_back(fmt::format("{}: all growth beyond {} is proven",
                                      SubjectOf(report, row),
                                      Amount(report, row.allowed_growth)));
      continue;
    }
    std::string text = fmt::format(
        "{}: growth of {} is proven in 9 of 10 cases, {} is allowed",
        SubjectOf(report, row), Amount(report, row.growth),
        Amount(report, row.allowed_growth));
    if (row.more_samples > 1)
      text += MoreSamplesText(row, CountsEveryAllocation(report));
    sentences.push_back(std::move(text));
  }
  return sentences;
}

}  // namespace heapprof
