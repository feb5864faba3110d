// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/info.h"

#include <algorithm>
#include <utility>

#include "heapprof/base/base_name.h"
#include "heapprof/profile/mapping_names.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Returns the number of stacks or, in a comparison, of those that have changed.
size_t DistinctStacks(const Profile& profile) {
  std::vector<bool> seen(profile.stacks.size());
  if (!profile.is_comparison)
    for (const Sample& sample : profile.samples)
      seen[sample.stack.index()] = true;
  else
    for (const Metric metric : kMetrics)
      for (const StackChange& change :
           ChangesByStack(profile, profile.samples, metric))
        if (change.value() != 0) seen[change.stack.index()] = true;
  return static_cast<size_t>(std::ranges::count(seen, true));
}

// True if the code was made at run time and has no name.
bool IsUnnamedGenerated(const Profile& profile, LocationId id) {
  const Location& location = profile.locations[id.index()];
  const Mapping& mapping = profile.mappings[location.mapping.index()];
  if (location.mapping.IsNone() || !IsAnonymous(profile, mapping)) return false;
  return std::ranges::all_of(
      profile.LocationLines(location), [&profile](const Line& line) {
        return profile.functions[line.function.index()].unresolved;
      });
}

double GeneratedPercent(const Profile& profile) {
  std::vector<bool> is_generated(profile.locations.size());
  for (uint32_t i = 1; i < profile.locations.size(); ++i)
    is_generated[i] = IsUnnamedGenerated(profile, LocationId{i});
  double all = 0, generated = 0;
  for (const Sample& sample : profile.samples) {
    const double value = sample.values[Metric::kInuseSpace].value;
    all += value;
    if (std::ranges::any_of(
            profile.StackFrames(sample.stack),
            [&](LocationId id) { return is_generated[id.index()]; }))
      generated += value;
  }
  return Percent(generated, all);
}

bool RunsJava(const Profile& profile) {
  return std::ranges::any_of(profile.mappings, [&](const Mapping& mapping) {
    return BaseName(profile.String(mapping.filename)) == "libjvm.so";
  });
}

}  // namespace

Info MakeInfo(const Profile& profile, DumpInfo dump, ModuleTable modules) {
  Info info = {
      .dump = std::move(dump),
      .program = std::string(profile.String(profile.main_binary)),
      .time_seconds = profile.time_seconds,
      .sampling_period = profile.sampling_period,
      .has_memory_map = profile.has_memory_map,
      .is_symbolized = profile.is_symbolized,
      .stacks = DistinctStacks(profile),
      .threads = profile.threads.size() - 1,
      .threads_share_errors = SharedSeeds(profile).IsPossible(Side::kNew),
      .more_sample_types = profile.more_sample_types,
      .lists_objects = profile.lists_objects,
      .slab_classes = profile.slab_classes,
      .generated_percent = GeneratedPercent(profile),
      .runs_java = RunsJava(profile),
      .is_difference = profile.is_comparison,
      .totals = {},
      .modules = std::move(modules)};
  for (const Metric metric : kMetrics) {
    if (!HasMetric(profile, metric)) continue;
    const Change total = TotalChange(profile, metric);
    info.totals.push_back(
        {.metric = metric,
         .value = Difference(total),
         .interval = ErrorBars(profile, metric).Of(total, Extent::kTotal),
         .is_exact = IsExact(profile)});
  }
  return info;
}

bool LacksJavaNames(const Info& info) {
  constexpr double kMuch = 10;
  return info.runs_java && info.generated_percent >= kMuch;
}

}  // namespace heapprof
