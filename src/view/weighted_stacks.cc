// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/weighted_stacks.h"

#include <algorithm>
#include <span>
#include <utility>

#include "heapprof/profile/stack_changes.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/merged_stacks.h"
#include "heapprof/view/thread_table.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

class WeightedStacksMaker {
 public:
  WeightedStacksMaker(const Profile& profile,
                      const WeightedStacksOptions& options)
      : profile_(profile),
        labels_(profile, {.granularity = options.granularity,
                          .names = NameForm::kPlain,
                          .with_code = true}),
        by_thread_(options.by_thread) {}

  WeightedStacks Make() && {
    std::vector<StackId> used = StacksWithValues();
    AddFrames(used);
    AddStacks(used);
    sums_.resize(made_.stacks.size());
    is_summed_.resize(made_.stacks.size());
    for (const Metric metric : kMetrics)
      if (HasMetric(profile_, metric))
        AddSeries(profile_.samples, {.metric = metric});
    if (by_thread_) AddThreads();
    return std::move(made_);
  }

 private:
  // Returns the stacks with values, each once; in a comparison, those that have
  // changed.
  std::vector<StackId> StacksWithValues() const {
    std::vector<bool> is_used(profile_.stacks.size());
    const auto add = [&](std::span<const Sample> samples) {
      for (const Metric metric : kMetrics)
        if (profile_.is_comparison) {
          for (const StackChange& change :
               ChangesByStack(profile_, samples, metric))
            if (change.value() != 0) is_used[change.stack.index()] = true;
        } else {
          for (const Sample& sample : samples)
            if (sample.values[metric].value != 0)
              is_used[sample.stack.index()] = true;
        }
    };
    add(profile_.samples);
    if (by_thread_)
      for (const ThreadSamples& thread : SamplesByThread(profile_))
        add(thread.samples);
    std::vector<StackId> used;
    for (uint32_t i = 0; i < is_used.size(); ++i)
      if (is_used[i]) used.push_back(StackId{i});
    return used;
  }

  // Adds the frames of the stacks, and notes in `frame_of_label_` where they
  // are.
  void AddFrames(std::span<const StackId> stacks) {
    frame_of_label_.resize(labels_.size());
    for (const uint32_t label : labels_.UsedBy(profile_, stacks)) {
      frame_of_label_[label] = static_cast<uint32_t>(made_.frames.size());
      const LabelCode& code = labels_.CodeOf(label);
      made_.frames.push_back({.name = labels_.Text(label),
                              .file = std::string(profile_.String(code.file)),
                              .line = code.line});
    }
  }

  // Adds each different stack once, and notes in `row_of_` where it is.
  void AddStacks(std::span<const StackId> stacks) {
    MergedStacks merged =
        MergeStacks(profile_, stacks, {labels_, frame_of_label_});
    merged.Sort();
    made_.frame_ids = std::move(merged.labels);
    made_.stacks.reserve(merged.rows.size());
    for (const StackRow& row : merged.rows)
      made_.stacks.push_back({static_cast<uint32_t>(row.first), row.count});
    row_of_ = std::move(merged.row_of);
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
      const uint32_t stack = row_of_[sample.stack.index()];
      if (value == 0 || stack == kNoRow) continue;
      if (!is_summed_[stack]) stacks.push_back(stack);
      is_summed_[stack] = true;
      sums_[stack].Add(sample.side == Side::kNew ? value : -value);
    }
    SortSummed(stacks);
    for (const uint32_t stack : stacks) is_summed_[stack] = false;
    return stacks;
  }

  // Sorts the stacks of is_summed_. If they are many of all, it is faster to
  // look at all in order.
  void SortSummed(std::vector<uint32_t>& stacks) const {
    constexpr size_t kMany = 16;
    if (stacks.size() < is_summed_.size() / kMany) {
      std::ranges::sort(stacks);
      return;
    }
    stacks.clear();
    for (uint32_t stack = 0; stack < is_summed_.size(); ++stack)
      if (is_summed_[stack]) stacks.push_back(stack);
  }

  static void AddWeight(const WeightedStack& stack, StackSeries& to) {
    to.stacks.push_back(stack);
    to.total += stack.weight;
  }

  const Profile& profile_;
  const FrameLabels labels_;
  const bool by_thread_;
  std::vector<uint32_t> frame_of_label_;  // index in WeightedStacks::frames
  // By StackId: as WeightedStack::stack, or kNoRow.
  std::vector<uint32_t> row_of_;
  std::vector<CancellingSum> sums_;  // by stack; 0 outside AddSeries()
  std::vector<bool> is_summed_;      // by stack; false outside SumUp()
  WeightedStacks made_;
};

}  // namespace

WeightedStacks MakeWeightedStacks(const Profile& profile,
                                  const WeightedStacksOptions& options) {
  return WeightedStacksMaker(profile, options).Make();
}

}  // namespace heapprof
