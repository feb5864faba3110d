// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stack_measures.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/sampled_objects.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

// What a row is about, in each metric.
struct RowKey {
  uint32_t stack = 0;  // as StackMeasure::stack
  uint64_t thread_uid = 0;
  ThreadId thread = {};

  auto operator<=>(const RowKey&) const = default;
};

std::vector<StackId> SampledStacks(const Profile& profile) {
  std::vector<bool> is_used(profile.stacks.size());
  for (const Sample& sample : profile.samples)
    is_used[sample.stack.index()] = true;
  std::vector<StackId> used;
  for (uint32_t i = 0; i < is_used.size(); ++i)
    if (is_used[i]) used.push_back({i});
  return used;
}

std::string PlaceOfCode(const Profile& profile, const LabelCode& code) {
  std::string place(profile.String(code.file));
  if (!place.empty() && code.line != 0) place += fmt::format(":{}", code.line);
  return place;
}

// Returns the place of each label; none if labels with the same text have
// different places.
std::vector<std::string> PlacesOf(const Profile& profile,
                                  const FrameLabels& labels,
                                  const StackIndex& index) {
  std::vector<std::string> places(index.table.labels.size());
  std::vector<bool> is_set(places.size());
  for (uint32_t id = 0; id < labels.size(); ++id) {
    const uint32_t label = index.label_of[id];
    std::string place = PlaceOfCode(profile, labels.CodeOf(id));
    if (!is_set[label])
      places[label] = std::move(place);
    else if (places[label] != place)
      places[label].clear();
    is_set[label] = true;
  }
  return places;
}

class Measurer {
 public:
  explicit Measurer(const Profile& profile, const StackIndex& index)
      : profile_(profile), index_(index) {
    for (const Sample& sample : profile.samples) keys_.push_back(KeyOf(sample));
    std::ranges::sort(keys_);
    const auto repeated = std::ranges::unique(keys_);
    keys_.erase(repeated.begin(), repeated.end());
    by_thread_ = std::ranges::any_of(
        keys_, [](const RowKey& key) { return !key.thread.IsNone(); });
    for (const Sample& sample : profile.samples)
      row_of_.push_back(NumberOf(sample));
  }

  void AddRows(Metric metric, std::vector<StackMeasure>& rows) const {
    const ErrorBars bars(profile_, metric);
    const std::vector<Change> sums = SumsOf(metric);
    const std::vector<double> samples = SamplesOf(metric);
    const Extent extent = by_thread_ ? Extent::kThread : Extent::kEntry;
    WholeValues whole;
    for (size_t i = 0; i < keys_.size(); ++i) {
      const int64_t value = whole.Next(sums[i].now.value);
      if (value == 0) continue;
      StackMeasure& row =
          rows.emplace_back(StackMeasure{.metric = metric,
                                         .stack = keys_[i].stack,
                                         .thread = keys_[i].thread,
                                         .value = value,
                                         .interval = bars.Of(sums[i], extent)});
      if (!samples.empty())
        row.samples = static_cast<int64_t>(std::round(samples[i]));
    }
  }

 private:
  RowKey KeyOf(const Sample& sample) const {
    const ThreadId thread = ShownThread(profile_, sample.thread);
    return {index_.row_of[sample.stack.index()],
            profile_.threads[thread.index()].uid, thread};
  }
  uint32_t NumberOf(const Sample& sample) const {
    return static_cast<uint32_t>(
        std::ranges::lower_bound(keys_, KeyOf(sample)) - keys_.begin());
  }

  std::vector<Change> SumsOf(Metric metric) const {
    std::vector<Change> sums(keys_.size());
    for (size_t i = 0; i < row_of_.size(); ++i)
      sums[row_of_[i]].now += profile_.samples[i].values[metric];
    // The errors of one thread do not add up with those of others.
    if (by_thread_) return sums;
    AddSharedVariances(
        profile_, profile_.samples, metric,
        [this](const Sample& sample, std::vector<uint32_t>& of) {
          if (index_.row_of[sample.stack.index()] == kNoRow) return;
          Sample of_all = sample;
          of_all.thread = {};
          of.push_back(NumberOf(of_all));
        },
        sums);
    return sums;
  }

  // Returns the number of sampled objects of each key; nothing if it is
  // unknown.
  std::vector<double> SamplesOf(Metric metric) const {
    if (!CountsSamples(profile_)) return {};
    std::vector<double> numbers(keys_.size());
    const std::vector<Sample> counted =
        CountSampled(profile_, profile_.samples, metric);
    for (size_t i = 0; i < row_of_.size(); ++i)
      numbers[row_of_[i]] += counted[i].values[metric].value;
    return numbers;
  }

  const Profile& profile_;
  const StackIndex& index_;
  bool by_thread_ = false;
  std::vector<RowKey> keys_;      // in the order of the rows
  std::vector<uint32_t> row_of_;  // by sample: index of its key
};

}  // namespace

StackMeasures MeasureStacks(const Profile& profile,
                            const MeasureOptions& options) {
  const FrameLabels labels(profile, {.granularity = options.granularity,
                                     .names = NameForm::kPlain,
                                     .with_code = true});
  StackIndex index = IndexStacks(profile, SampledStacks(profile), labels);
  StackMeasures measures = {.places = PlacesOf(profile, labels, index)};
  const Measurer measurer(profile, index);
  for (const Metric metric : options.metrics)
    if (HasMetric(profile, metric)) measurer.AddRows(metric, measures.rows);
  measures.stacks = std::move(index.table);
  return measures;
}

}  // namespace heapprof
