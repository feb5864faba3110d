// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/metrics.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/core.h>

namespace heapprof {
namespace {

// Says why `profile` does not have a metric; empty if it has.
std::string_view WhyLacking(const Profile& profile, Metric metric) {
  if (IsAccumulated(metric) && !profile.has_accumulated)
    return "the dump has no accumulated counters, which --alloc_space and "
           "--alloc_objects show: run the program with "
           "MALLOC_CONF=prof_accum:true";
  if (!IsAccumulated(metric) && !profile.has_inuse)
    return "the profile says only what was allocated, not what is live: choose "
           "--alloc_space or --alloc_objects";
  if (IsObjectCount(metric) && !profile.has_object_counts)
    return "the profile has no object counts, only bytes: choose --inuse_space "
           "or --alloc_space";
  return "";
}

}  // namespace

Result<void> CheckMetrics(const Profile& profile, const std::string& path,
                          const Options& options) {
  std::vector<Metric> metrics = options.pprof.types;
  metrics.push_back(options.metric);
  for (const Metric metric : metrics)
    if (const auto reason = WhyLacking(profile, metric); !reason.empty())
      return Fail(ErrorKind::kNoData, fmt::format("{}: {}", path, reason));
  return {};
}

Result<void> CheckEachInput(const LoadedInputs& inputs,
                            const Options& options) {
  for (size_t i = 0; i < inputs.profiles.size(); ++i) {
    const Profile& profile = inputs.profiles[i].profile;
    if (profile.samples.empty()) continue;
    if (auto ok = CheckMetrics(profile, inputs.facts[i].path, options); !ok)
      return ok;
  }
  return {};
}

void ShowAllocations(Options& options, Diagnostics& diagnostics) {
  options.metric = Metric::kAllocSpace;
  diagnostics.Note(
      "the profile says only what was allocated, not what is live: showing "
      "--alloc_space");
}

void ChooseMetric(std::span<const MergeInput> inputs, Options& options,
                  Diagnostics& diagnostics) {
  const auto has_inuse = [](const MergeInput& input) {
    return input.profile.has_inuse;
  };
  const auto has_accumulated = [](const MergeInput& input) {
    return input.profile.has_accumulated;
  };
  if (options.is_metric_chosen || std::ranges::all_of(inputs, has_inuse) ||
      std::ranges::none_of(inputs, has_accumulated))
    return;
  ShowAllocations(options, diagnostics);
}

}  // namespace heapprof
