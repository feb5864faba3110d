// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/weighted_stacks.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>

#include "heapprof/profile/stack_changes.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/thread_table.h"
#include "heapprof/view/whole_values.h"
#include "view/sequence_order.h"

namespace heapprof {
namespace {

constexpr Metric kMetrics[] = {Metric::kInuseSpace, Metric::kInuseObjects,
                               Metric::kAllocSpace, Metric::kAllocObjects};

constexpr uint32_t kUnused = UINT32_MAX;

template <typename T>
void SortUnique(std::vector<T>& values) {
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
}

class Maker {
 public:
  Maker(const Profile& profile, const WeightedStacksOptions& options)
      : profile_(profile),
        labels_(profile, {.granularity = options.granularity,
                          .names = NameForm::kPlain,
                          .with_code = true}),
        by_thread_(options.by_thread) {}

  WeightedStacks Make() && {
    std::vector<StackId> used = UsedStacks();
    AddFrames(used);
    AddStacks(used);
    sums_.resize(made_.stacks.size());
    for (const Metric metric : kMetrics)
      if (HasMetric(profile_, metric))
        AddSeries(profile_.samples, {.metric = metric});
    if (by_thread_) AddThreads();
    return std::move(made_);
  }

 private:
  // Returns the stacks with values, each once; in a comparison, those that have
  // changed.
  std::vector<StackId> UsedStacks() const {
    std::vector<StackId> used;
    const auto add = [&](std::span<const Sample> samples) {
      for (const Metric metric : kMetrics)
        for (const StackChange& change :
             ChangesByStack(profile_, samples, metric))
          if (change.value() != 0) used.push_back(change.stack);
    };
    add(profile_.samples);
    if (by_thread_)
      for (const ThreadSamples& thread : SamplesByThread(profile_))
        add(thread.samples);
    SortUnique(used);
    return used;
  }

  // Adds the frames of the stacks, and notes in `frame_of_label_` where they
  // are.
  void AddFrames(std::span<const StackId> stacks) {
    std::vector<bool> is_used(labels_.size());
    for (const StackId id : stacks)
      for (const LocationId location : profile_.StackFrames(id))
        for (const uint32_t label : labels_.Of(location)) is_used[label] = true;
    std::vector<uint32_t> order;
    for (uint32_t label = 0; label < labels_.size(); ++label)
      if (is_used[label]) order.push_back(label);
    std::ranges::sort(order, {}, [this](uint32_t label) -> const std::string& {
      return labels_.Text(label);
    });
    frame_of_label_.resize(labels_.size());
    for (const uint32_t label : order) {
      frame_of_label_[label] = static_cast<uint32_t>(made_.frames.size());
      const LabelCode& code = labels_.CodeOf(label);
      made_.frames.push_back({.name = labels_.Text(label),
                              .file = std::string(profile_.String(code.file)),
                              .line = code.line});
    }
  }

  // Adds each different stack once, and notes in `index_of_stack_` where it is.
  void AddStacks(std::span<const StackId> stacks) {
    std::vector<Run> runs;
    runs.reserve(stacks.size());
    for (const StackId id : stacks) runs.push_back(AddFrameIds(id));
    std::vector<std::span<const uint32_t>> frames;
    frames.reserve(runs.size());
    for (const Run run : runs)
      frames.push_back(
          std::span(made_.frame_ids).subspan(run.first, run.count));
    index_of_stack_.resize(profile_.stacks.size(), kUnused);
    uint32_t last = kUnused;
    for (const uint32_t i : OrderOf(frames)) {
      if (last == kUnused || !std::ranges::equal(frames[last], frames[i]))
        made_.stacks.push_back(runs[i]);
      index_of_stack_[stacks[i].index()] =
          static_cast<uint32_t>(made_.stacks.size() - 1);
      last = i;
    }
  }

  Run AddFrameIds(StackId id) {
    const auto first = static_cast<uint32_t>(made_.frame_ids.size());
    const auto labels = labels_.OfStack(profile_.StackFrames(id));
    for (const uint32_t label : labels | std::views::reverse)
      made_.frame_ids.push_back(frame_of_label_[label]);
    return {first, static_cast<uint32_t>(labels.size())};
  }

  void AddThreads() {
    for (const ThreadSamples& thread : SamplesByThread(profile_))
      for (const Metric metric : kMetrics)
        if (HasMetric(profile_, metric))
          AddSeries(thread.samples,
                    {.metric = metric, .thread = thread.thread});
  }

  // Adds one or two series of the metric and thread of `series`.
  void AddSeries(std::span<const Sample> samples, StackSeries series) {
    StackSeries decreases = {.metric = series.metric,
                             .thread = series.thread,
                             .sign = WeightSign::kNegative};
    WholeValues whole;
    for (const uint32_t stack : SumUp(samples, series.metric)) {
      const int64_t value = whole.Next(std::exchange(sums_[stack], {}).value());
      if (value > 0) AddWeight({stack, value}, series);
      if (value < 0) AddWeight({stack, -value}, decreases);
    }
    if (!series.stacks.empty() || series.thread.IsNone())
      made_.series.push_back(std::move(series));
    if (!decreases.stacks.empty()) made_.series.push_back(std::move(decreases));
  }

  // Adds the values of the samples to `sums_`, and returns the stacks that they
  // belong to, each once and in order.
  std::vector<uint32_t> SumUp(std::span<const Sample> samples, Metric metric) {
    std::vector<uint32_t> stacks;
    for (const Sample& sample : samples) {
      const double value = sample.values[metric].value;
      const uint32_t stack = index_of_stack_[sample.stack.index()];
      if (value == 0 || stack == kUnused) continue;
      stacks.push_back(stack);
      sums_[stack].Add(sample.side == Side::kNew ? value : -value);
    }
    SortUnique(stacks);
    return stacks;
  }

  static void AddWeight(const WeightedStack& stack, StackSeries& to) {
    to.stacks.push_back(stack);
    to.total += stack.weight;
  }

  const Profile& profile_;
  const FrameLabels labels_;
  const bool by_thread_;
  std::vector<uint32_t> frame_of_label_;  // index in WeightedStacks::frames
  // By StackId; as WeightedStack::stack, or kUnused.
  std::vector<uint32_t> index_of_stack_;
  std::vector<CancellingSum> sums_;  // by stack; 0 outside AddSeries()
  WeightedStacks made_;
};

}  // namespace

WeightedStacks MakeWeightedStacks(const Profile& profile,
                                  const WeightedStacksOptions& options) {
  return Maker(profile, options).Make();
}

}  // namespace heapprof
