// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/info.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "heapprof/view/coverage.h"

namespace heapprof {
namespace {

constexpr double kHundred = 100;

double Percent(double part, double whole, double of_nothing) {
  return whole == 0 ? of_nothing : kHundred * part / whole;
}

std::optional<Interval> IntervalOf(Metric metric, const Estimate& estimate) {
  // The sizes of the objects are not known well enough to bound their number.
  if (IsObjectCount(metric) || estimate.variance <= 0) return std::nullopt;
  return ConfidenceInterval(estimate, kInfoConfidence);
}

// A module that was found may still lack a symbol here and there.
void ExplainUnresolved(ModuleRow& row) {
  if (row.unresolved == 0 || !row.facts.reason.empty()) return;
  row.facts.reason =
      row.path.empty()
          ? "the memory map has no file there: code that was generated at run "
            "time, or a library that was unloaded"
          : fmt::format("no symbol for {} of {} addresses", row.unresolved,
                        row.locations);
}

size_t DistinctStacks(const Profile& profile) {
  std::vector<bool> seen(profile.stacks.size());
  for (const Sample& sample : profile.samples)
    seen[sample.stack.index()] = true;
  return static_cast<size_t>(std::ranges::count(seen, true));
}

}  // namespace

ModuleTable MakeModuleTable(const Profile& profile, Metric metric,
                            std::vector<ModuleFacts> facts) {
  const Coverage coverage = MeasureCoverage(profile, metric);
  ModuleTable table;
  table.metric = metric;
  double unresolved_value = 0;
  for (const ModuleCoverage& module : coverage.modules) {
    const Mapping& mapping = profile.mappings[module.mapping.index()];
    if (module.unresolved > 0) ++table.unresolved;
    unresolved_value += module.unresolved_value;
    table.rows.push_back(
        {.path = std::string(profile.String(mapping.filename)),
         .deleted = mapping.deleted,
         .locations = module.locations,
         .unresolved = module.unresolved,
         .stacks = module.stacks,
         .unresolved_stacks = module.unresolved_stacks,
         .value = module.value,
         .unresolved_value = module.unresolved_value,
         .percent = Percent(module.value, coverage.total_value, 0),
         .resolved_percent = Percent(module.value - module.unresolved_value,
                                     module.value, kHundred),
         .facts = module.mapping.index() < facts.size()
                      ? std::move(facts[module.mapping.index()])
                      : ModuleFacts{}});
    ExplainUnresolved(table.rows.back());
  }
  table.unresolved_percent = Percent(unresolved_value, coverage.total_value, 0);
  std::ranges::stable_sort(table.rows, {}, [](const ModuleRow& row) {
    return std::tuple(-row.unresolved_value, -row.value);
  });
  return table;
}

Info MakeInfo(const Profile& profile, DumpFacts dump, ModuleTable modules) {
  Info info = {.dump = std::move(dump),
               .time_seconds = profile.time_seconds,
               .sampling_period = profile.sampling_period,
               .has_memory_map = profile.has_memory_map,
               .is_symbolized = profile.is_symbolized,
               .stacks = DistinctStacks(profile),
               .threads = profile.threads.size() - 1,
               .totals = {},
               .modules = std::move(modules)};
  const Values totals = TotalOf(profile, Side::kNew);
  for (const Metric metric : {Metric::kInuseSpace, Metric::kInuseObjects,
                              Metric::kAllocSpace, Metric::kAllocObjects}) {
    if (!HasMetric(profile, metric)) continue;
    info.totals.push_back({.metric = metric,
                           .value = totals[metric].value,
                           .interval = IntervalOf(metric, totals[metric])});
  }
  return info;
}

std::optional<Metric> MetricWithValues(const Profile& profile) {
  for (const Metric metric : {Metric::kInuseSpace, Metric::kAllocSpace,
                              Metric::kInuseObjects, Metric::kAllocObjects})
    if (std::ranges::any_of(profile.samples, [metric](const Sample& sample) {
          return sample.values[metric].value != 0;
        }))
      return metric;
  return std::nullopt;
}

const char* MetricName(Metric metric) {
  switch (metric) {
    case Metric::kInuseObjects:
      return "inuse_objects";
    case Metric::kInuseSpace:
      return "inuse_space";
    case Metric::kAllocObjects:
      return "alloc_objects";
    case Metric::kAllocSpace:
      return "alloc_space";
  }
  return "";
}

}  // namespace heapprof
