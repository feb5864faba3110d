// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/check/budgets.h"
#include "heapprof/view/metric_words.h"

namespace heapprof {
namespace {

std::unexpected<Error> UsageError(std::string message) {
  return Fail(ErrorKind::kUsage, std::move(message));
}

Result<void> CheckLimitsGiven(const Budgets& budgets, const BudgetsUse& use) {
  if (!budgets.HasLimit() && use.needs_limit)
    return UsageError(
        "check: no limit; give --max-total, --max-total-growth, --max-growth, "
        "--max-new or a --budgets file with limits");
  if (!use.has_base &&
      (budgets.settings.max_total_growth || budgets.LimitsEntries()))
    return UsageError(
        "check: limits on growth, and rules, need a --base to compare with; "
        "only --max-total works without");
  return {};
}

// Calls `visit` with each limit that is given.
template <typename Visit>
void ForEachLimit(const Budgets& budgets, const Visit& visit) {
  const auto visit_if_given = [&visit](const auto& limit) {
    if (limit) visit(*limit);
  };
  const CheckSettings& settings = budgets.settings;
  visit_if_given(settings.max_total);
  visit_if_given(settings.max_total_growth);
  visit_if_given(settings.max_growth);
  visit_if_given(settings.max_new);
  for (const EntryRule& rule : budgets.rules) {
    visit_if_given(rule.limits.max_total);
    visit_if_given(rule.limits.max_growth);
    visit_if_given(rule.limits.max_new);
  }
}

// Returns the place of the first limit that is given with a unit, such as MiB;
// empty if there is none.
std::string LimitWithUnit(const Budgets& budgets) {
  std::string place;
  ForEachLimit(budgets, [&place](const auto& limit) {
    if (limit.has_unit && place.empty()) place = limit.place;
  });
  return place;
}

// Fails if a limit on bytes has no unit.
Result<void> CheckUnits(const Budgets& budgets) {
  std::string problem;
  ForEachLimit(budgets, [&problem](const auto& limit) {
    if (problem.empty()) problem = WhyUnclear(limit);
  });
  if (problem.empty()) return {};
  return UsageError(std::move(problem));
}

Result<void> CheckMetric(const Budgets& budgets, Metric metric) {
  if (!IsObjectCount(metric)) return CheckUnits(budgets);
  if (budgets.settings.Noise() != NoiseMode::kPoint)
    return UsageError(fmt::format(
        "check: the numbers of objects have no error bars; choose a metric of "
        "bytes, or compare {} as if they were exact, with --noise point",
        MetricName(metric)));
  if (const std::string place = LimitWithUnit(budgets); !place.empty())
    return UsageError(
        fmt::format("{}: a number of objects has no unit", place));
  return {};
}

// A pattern for `field` is matched against the function, file, module or group
// of an entry. Returns true if entries have this text in a comparison by `by`.
bool CanMatch(EntryPattern::Field field, CompareBy by) {
  switch (field) {
    case EntryPattern::Field::kFunction:
      return by == CompareBy::kFunction || by == CompareBy::kStack;
    case EntryPattern::Field::kFile:
      return by == CompareBy::kFunction || by == CompareBy::kFile;
    case EntryPattern::Field::kModule:
      return by == CompareBy::kModule;
    case EntryPattern::Field::kGroup:
      return by == CompareBy::kGroup;
  }
  return false;
}

// Returns its key in the budgets file.
std::string_view FieldName(EntryPattern::Field field) {
  switch (field) {
    case EntryPattern::Field::kFunction:
      return "function";
    case EntryPattern::Field::kFile:
      return "file";
    case EntryPattern::Field::kModule:
      return "module";
    case EntryPattern::Field::kGroup:
      return "group";
  }
  return "";
}

template <typename Rule>
Result<void> CheckPatterns(const std::vector<Rule>& rules,
                           const Budgets& budgets) {
  const CompareBy by = budgets.settings.By();
  for (const Rule& rule : rules)
    if (!CanMatch(rule.pattern.field, by))
      return UsageError(
          fmt::format("{}: {}: a pattern for '{}' matches nothing with --by "
                      "{}",
                      budgets.path, rule.name, FieldName(rule.pattern.field),
                      CompareByName(by)));
  return {};
}

}  // namespace

Result<void> CheckBudgets(const Budgets& budgets, const BudgetsUse& use) {
  if (auto given = CheckLimitsGiven(budgets, use); !given) return given;
  if (auto fits = CheckMetric(budgets, use.metric); !fits) return fits;
  if (auto can = CheckPatterns(budgets.rules, budgets); !can) return can;
  return CheckPatterns(budgets.ignores, budgets);
}

}  // namespace heapprof
