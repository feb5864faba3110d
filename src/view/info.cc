// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/info.h"

#include <algorithm>
#include <utility>

#include "heapprof/profile/stack_changes.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/error_bars.h"

namespace heapprof {
namespace {

constexpr Metric kMetrics[] = {Metric::kInuseSpace, Metric::kInuseObjects,
                               Metric::kAllocSpace, Metric::kAllocObjects};

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

}  // namespace

Info MakeInfo(const Profile& profile, DumpInfo dump, ModuleTable modules) {
  Info info = {.dump = std::move(dump),
               .program = std::string(profile.String(profile.main_binary)),
               .time_seconds = profile.time_seconds,
               .sampling_period = profile.sampling_period,
               .has_memory_map = profile.has_memory_map,
               .is_symbolized = profile.is_symbolized,
               .stacks = DistinctStacks(profile),
               .threads = profile.threads.size() - 1,
               .more_sample_types = profile.more_sample_types,
               .lists_objects = profile.lists_objects,
               .slab_classes = profile.slab_classes,
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

const char* MetricWords(Metric metric) {
  switch (metric) {
    case Metric::kInuseSpace:
      return "live bytes";
    case Metric::kInuseObjects:
      return "live objects";
    case Metric::kAllocSpace:
      return "allocated bytes";
    case Metric::kAllocObjects:
      return "allocated objects";
  }
  return "";
}

}  // namespace heapprof
