// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/thread_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "heapprof/profile/stack_changes.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/sampled_objects.h"
#include "view/top_function.h"

namespace heapprof {
namespace {

bool HasChanged(const Profile& profile, std::span<const Sample> samples) {
  constexpr Metric kMetrics[] = {Metric::kInuseSpace, Metric::kInuseObjects,
                                 Metric::kAllocSpace, Metric::kAllocObjects};
  return std::ranges::any_of(kMetrics, [&](Metric metric) {
    return std::ranges::any_of(
        ChangesByStack(profile, samples, metric),
        [](const StackChange& change) { return change.value() != 0; });
  });
}

}  // namespace

std::vector<ThreadSamples> SamplesByThread(const Profile& profile) {
  using Key = std::tuple<uint64_t, std::string_view, ThreadId>;
  std::map<Key, ThreadSamples> groups;
  const auto group_of = [&](const Sample& sample) -> ThreadSamples& {
    const ThreadId id = ShownThread(profile, sample.thread);
    const Thread& thread = profile.threads[id.index()];
    return groups[{thread.uid, profile.String(thread.name), id}];
  };
  for (const Sample& sample : profile.thread_samples)
    group_of(sample).samples.push_back(sample);
  for (const Sample& sample : profile.filtered_thread_samples)
    group_of(sample).filtered_out[sample.side] += sample.values;
  std::vector<ThreadSamples> threads;
  for (auto& [key, group] : groups) {
    group.thread = std::get<2>(key);
    threads.push_back(std::move(group));
  }
  return threads;
}

std::vector<ThreadRow> MakeThreadTable(
    const Profile& profile, Metric metric, const FrameLabels& labels,
    std::span<const std::optional<StackCall>> calls) {
  const ErrorBars bars(profile, metric);
  std::vector<ThreadRow> rows;
  for (const auto& [id, samples, filtered_out] : SamplesByThread(profile)) {
    if (samples.empty() ||
        (profile.is_comparison && !HasChanged(profile, samples)))
      continue;
    const Change sum = SumOf(profile, samples, metric);
    ThreadRow row = {
        .thread = id,
        .uid = profile.threads[id.index()].uid,
        .name = std::string(profile.String(profile.threads[id.index()].name)),
        .sum = sum,
        .interval = bars.Of(sum, Extent::kThread),
        .samples = SampledObjects(profile, samples, metric),
        .top_function = TopFunction(profile, samples, metric, labels, calls)};
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, std::greater(), [](const ThreadRow& row) {
    return std::abs(Difference(row.sum));
  });
  return rows;
}

}  // namespace heapprof
