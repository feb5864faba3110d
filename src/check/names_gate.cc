// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "heapprof/check/gates.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/coverage.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// `removed` is what filters for certain names removed because it has none: it
// may be what they ask for.
double NamedPercent(const Coverage& coverage, double removed) {
  return 100 - Percent(coverage.nameless_value + removed,
                       coverage.total_value + removed);
}

// With less than this in names, most unchanged functions would look new.
// Programs whose modules are all at hand have more, see kNotablePercent.
constexpr double kEnoughPercent = 90;
// Sides that differ by no more than this have lost the same names.
constexpr double kMostLostPercent = 100 - kEnoughPercent;

// Returns true if the sides know about the same share of the names in a module.
// Functions without names are then matched by their offset in the file. Samples
// decide which addresses a side has: of a few, the shares differ by chance.
bool HaveSameNames(const ModuleCoverage& a, const ModuleCoverage& b) {
  constexpr double kDeviations = 2;
  constexpr double kMost = 90;  // all names and none are never the same
  const auto percent = [](size_t unresolved, size_t locations) {
    return Percent(static_cast<double>(unresolved),
                   static_cast<double>(locations));
  };
  const double both =
      percent(a.unresolved + b.unresolved, a.locations + b.locations);
  const double error = std::sqrt(both * (100 - both) *
                                 (1 / static_cast<double>(a.locations) +
                                  1 / static_cast<double>(b.locations)));
  return std::abs(percent(a.unresolved, a.locations) -
                  percent(b.unresolved, b.locations)) <=
         std::min(kMostLostPercent + kDeviations * error, kMost);
}

// Returns the percentage of the memory on one side whose functions can be
// matched with the other side: those with names, those in a file that both
// sides use, and code outside the memory map, which CompareSides() makes one
// function.
double MatchablePercent(const Coverage& coverage, const Coverage& other,
                        bool has_memory_map) {
  std::unordered_map<MappingId, const ModuleCoverage*> others;
  for (const ModuleCoverage& module : other.modules)
    others.emplace(module.mapping, &module);
  double nameless = 0;
  for (const ModuleCoverage& module : coverage.modules) {
    if (module.mapping.IsNone() && has_memory_map) continue;
    const auto same = others.find(module.mapping);
    if (same == others.end() || !HaveSameNames(module, *same->second))
      nameless += module.nameless_value;
  }
  return 100 - Percent(nameless, coverage.total_value);
}

// Returns true if entries with a limit are matched by names that come from
// symbols. Budgets with such limits always have a base.
bool MatchesNames(const Budgets& budgets) {
  const CompareBy by = budgets.settings.By();
  const bool has_names = by == CompareBy::kFunction ||
                         by == CompareBy::kStack || by == CompareBy::kFile ||
                         by == CompareBy::kGroup;
  return has_names && budgets.LimitsEntries();
}

std::string_view SideName(bool is_base) {
  return is_base ? "base" : "new side";
}

// Code without names on both sides is most likely the same on both. So the
// sides must have lost about as much of it to the filters.
GateResult CheckRemoved(const Profile& profile, Metric metric,
                        const Sides<double>& removed) {
  const double most =
      profile.is_comparison ? kMostLostPercent : kMostRemovedPercent;
  const double now = RemovedPercent(profile, Side::kNew, metric, removed);
  const double base = RemovedPercent(profile, Side::kBase, metric, removed);
  if (std::abs(now - base) <= most) return {};
  return FailGate(
      FindingKind::kFewMatchable,
      fmt::format("{} of the {} has no names, so the filters may have removed "
                  "what they ask for; see heapprof info, or judge what has "
                  "names with --require-symbols=0",
                  FormatShare(std::max(now, base)), SideName(base > now)));
}

}  // namespace

GateResult CheckNames(const Profile& profile, Metric metric,
                      const Budgets& budgets, const Sides<double>& removed) {
  const auto& required = budgets.settings.require_symbols;
  const Coverage base = MeasureCoverage(profile, metric, Side::kBase);
  const Coverage now = MeasureCoverage(profile, metric, Side::kNew);
  const double named_now = NamedPercent(now, removed.now);
  const double named_base = NamedPercent(base, removed.base);
  const double fewest = std::min(named_now, named_base);
  const std::string_view side = SideName(named_base < named_now);
  if (required && fewest < *required)
    return FailGate(
        FindingKind::kFewNames,
        fmt::format("only {} of the {} has names, --require-symbols demands "
                    "{:.4g} %; see heapprof info",
                    FormatShare(fewest), side, *required));
  if (required) return {};
  const double matchable =
      std::min(MatchablePercent(base, now, profile.has_memory_map),
               MatchablePercent(now, base, profile.has_memory_map));
  if (matchable < kEnoughPercent && MatchesNames(budgets))
    return FailGate(
        FindingKind::kFewMatchable,
        fmt::format("only {} of the {} has names, so functions cannot be "
                    "matched; see heapprof info, or judge what has names with "
                    "--require-symbols={:.0f}",
                    FormatShare(fewest), side, std::floor(fewest)));
  return CheckRemoved(profile, metric, removed);
}

double RemovedPercent(const Profile& profile, Side side, Metric metric,
                      const Sides<double>& removed) {
  return Percent(removed[side],
                 std::abs(TotalOf(profile, side)[metric].value +
                          profile.filtered_out[side][metric].value));
}

}  // namespace heapprof
