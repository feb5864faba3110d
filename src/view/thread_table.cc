// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/thread_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
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
  return std::ranges::any_of(kMetrics, [&](Metric metric) {
    return AnyStackChanges(profile, samples, metric);
  });
}

}  // namespace

std::vector<ThreadSamples> SamplesByThread(const Profile& profile) {
  const auto row_of = [&](const Sample& sample) {
    return ShownThread(profile, sample.thread).index();
  };
  std::vector<size_t> counts(profile.threads.size());
  for (const Sample& sample : profile.thread_samples) ++counts[row_of(sample)];
  std::vector<ThreadSamples> threads(counts.size());
  std::vector<bool> is_known(counts.size());
  for (uint32_t i = 0; i < threads.size(); ++i) {
    threads[i].thread = ThreadId{i};
    threads[i].samples.reserve(counts[i]);
    is_known[i] = counts[i] != 0;
  }
  for (const Sample& sample : profile.thread_samples)
    threads[row_of(sample)].samples.push_back(sample);
  for (const Sample& sample : profile.filtered_thread_samples) {
    threads[row_of(sample)].filtered_out[sample.side] += sample.values;
    is_known[row_of(sample)] = true;
  }
  std::erase_if(threads, [&](const ThreadSamples& group) {
    return !is_known[group.thread.index()];
  });
  std::ranges::sort(threads, {}, [&](const ThreadSamples& group) {
    const Thread& thread = profile.threads[group.thread.index()];
    return std::tuple(thread.uid, profile.String(thread.name), group.thread);
  });
  return threads;
}

std::vector<ThreadRow> MakeThreadTable(const Profile& profile, Metric metric,
                                       const FrameLabels& labels,
                                       const CallsOfStacks& calls) {
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
