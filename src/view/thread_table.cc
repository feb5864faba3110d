// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/thread_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "heapprof/view/change.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/recorded_counts.h"

namespace heapprof {
namespace {

// The number of sampled objects, if it can be recovered from the values.
std::optional<uint64_t> SampleCount(const Profile& profile, Metric metric,
                                    const std::vector<Sample>& samples) {
  uint64_t count = 0;
  for (const Sample& sample : samples) {
    const auto counts =
        RecordedCountsOf(sample.values, profile.sampling_period);
    if (!counts) return std::nullopt;
    count += IsAccumulated(metric) ? counts->accumulated.objects
                                   : counts->current.objects;
  }
  return count;
}

// The function that holds most itself or, in a difference, changed most.
std::string TopFunction(const FlatTable& table) {
  const auto top = std::ranges::max_element(
      table.rows, {},
      [](const FlatRow& row) { return std::abs(row.flat.value); });
  return top == table.rows.end() ? "" : top->name;
}

}  // namespace

std::vector<ThreadSamples> SamplesByThread(const Profile& profile) {
  using Key = std::tuple<uint64_t, std::string_view, ThreadId>;
  std::map<Key, ThreadSamples> groups;
  const auto group_of = [&](const Sample& sample) -> ThreadSamples& {
    const Thread& thread = profile.threads[sample.thread.index()];
    return groups[{thread.uid, profile.String(thread.name), sample.thread}];
  };
  for (const Sample& sample : profile.thread_samples)
    group_of(sample).samples.push_back(sample);
  for (const Sample& sample : profile.filtered_thread_samples) {
    Values& filtered_out = group_of(sample).filtered_out;
    if (sample.side == Side::kNew)
      filtered_out += sample.values;
    else
      filtered_out -= sample.values;
  }
  std::vector<ThreadSamples> threads;
  for (auto& [key, group] : groups) {
    group.thread = std::get<2>(key);
    threads.push_back(std::move(group));
  }
  return threads;
}

std::vector<ThreadRow> MakeThreadTable(const Profile& profile, Metric metric,
                                       const LabelOptions& labels) {
  std::vector<ThreadRow> rows;
  for (const auto& [id, samples, filtered_out] : SamplesByThread(profile)) {
    if (std::ranges::all_of(samples, &Sample::IsUnchanged)) continue;
    const FlatTable table = MakeFlatTable(
        profile, {.metric = metric, .labels = labels, .samples = samples});
    const Change& sum = table.shown;
    ThreadRow row = {
        .uid = profile.threads[id.index()].uid,
        .name = std::string(profile.String(profile.threads[id.index()].name)),
        .value = sum.value,
        .interval = IntervalOf(sum, metric, profile.sampling_period),
        .samples = SampleCount(profile, metric, samples),
        .top_function = TopFunction(table)};
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, std::greater(), [](const ThreadRow& row) {
    return std::abs(row.value);
  });
  return rows;
}

}  // namespace heapprof
