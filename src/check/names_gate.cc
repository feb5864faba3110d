// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>
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

// Returns true if the sides know about the same share of the names in a module.
// Functions without names are then matched by their offset in the file.
bool HaveSameNames(const ModuleCoverage& a, const ModuleCoverage& b) {
  constexpr double kAlike = 10;
  const auto unresolved = [](const ModuleCoverage& module) {
    return Percent(static_cast<double>(module.unresolved),
                   static_cast<double>(module.locations));
  };
  return std::abs(unresolved(a) - unresolved(b)) <= kAlike;
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

}  // namespace

GateResult CheckNames(const Profile& profile, Metric metric,
                      const Budgets& budgets, const Sides<double>& removed) {
  constexpr double kEnough = 90;
  const auto& required = budgets.settings.require_symbols;
  const Coverage base = MeasureCoverage(profile, metric, Side::kBase);
  const Coverage now = MeasureCoverage(profile, metric, Side::kNew);
  const Sides<double> named = {NamedPercent(now, removed.now),
                               NamedPercent(base, removed.base)};
  const bool base_has_fewer = named.base < named.now;
  const double fewest = std::min(named.base, named.now);
  const std::string_view side = base_has_fewer ? "base" : "new side";
  if (required && fewest < *required)
    return std::unexpected(GateFinding{
        FindingKind::kFewNames,
        fmt::format("only {} of the {} has names, --require-symbols "
                    "demands {:.4g} %; see heapprof info",
                    FormatShare(fewest), side, *required)});
  const double matchable =
      std::min(MatchablePercent(base, now, profile.has_memory_map),
               MatchablePercent(now, base, profile.has_memory_map));
  if (!required && matchable < kEnough && MatchesNames(budgets))
    return std::unexpected(GateFinding{
        FindingKind::kFewMatchable,
        fmt::format("only {} of the {} has names, so functions cannot be "
                    "matched; see heapprof info, or judge what has names with "
                    "--require-symbols={:.0f}",
                    FormatShare(fewest), side, std::floor(fewest))});
  // Code without names on both sides is most likely the same on both.
  const double most_unseen =
      profile.is_comparison ? 100 - kEnough : kMostRemovedPercent;
  const Sides<double> unseen = {
      RemovedPercent(profile, Side::kNew, metric, removed),
      RemovedPercent(profile, Side::kBase, metric, removed)};
  if (!required && std::abs(unseen.now - unseen.base) > most_unseen)
    return std::unexpected(GateFinding{
        FindingKind::kFewMatchable,
        fmt::format("{} of the {} has no names, so the filters may have "
                    "removed what they ask for; see heapprof info, or judge "
                    "what has names with --require-symbols=0",
                    FormatShare(std::max(unseen.now, unseen.base)),
                    unseen.base > unseen.now ? "base" : "new side")});
  return {};
}

double RemovedPercent(const Profile& profile, Side side, Metric metric,
                      const Sides<double>& removed) {
  return Percent(removed[side],
                 std::abs(TotalOf(profile, side)[metric].value +
                          profile.filtered_out[side][metric].value));
}

}  // namespace heapprof
