// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/flat_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "heapprof/profile/group_frames.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/units.h"
#include "view/label_sums.h"

namespace heapprof {
namespace {

// Returns the first bytes of `text` as a number. Two of these numbers compare
// as the bytes do, but many times as fast as the texts.
uint64_t StartAsNumber(std::string_view text) {
  uint64_t number = 0;
  for (size_t i = 0; i < sizeof number; ++i)
    number =
        number << 8 | (i < text.size() ? static_cast<uint8_t>(text[i]) : 0);
  return number;
}

// Returns the labels that get a row, in the order of the rows. (Keys are
// sorted, not rows, because rows are too large to be moved often.)
std::vector<uint32_t> OrderOfRows(const std::vector<LabelChange>& sums,
                                  const FrameLabels& labels,
                                  bool sort_by_cumulative) {
  struct Key {
    double shown_size;  // of the value as reports show it
    double size;
    uint64_t text_start;
    uint32_t label;
  };
  std::vector<Key> keys;
  for (uint32_t i = 0; i < sums.size(); ++i) {
    // What no group has is always shown.
    if (sums[i].IsZero() && labels.Text(i) != kOtherGroup) continue;
    const Change& change =
        sort_by_cumulative ? sums[i].cumulative : sums[i].flat;
    keys.push_back({.shown_size = std::abs(WholeChange(change)),
                    .size = std::abs(Difference(change)),
                    .text_start = StartAsNumber(labels.Text(i)),
                    .label = i});
  }
  std::ranges::sort(keys, [&](const Key& a, const Key& b) {
    if (a.shown_size != b.shown_size) return a.shown_size > b.shown_size;
    if (a.size != b.size) return a.size > b.size;
    return a.text_start != b.text_start
               ? a.text_start < b.text_start
               : labels.Text(a.label) < labels.Text(b.label);
  });
  std::vector<uint32_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.label);
  return order;
}

SampleNumbers NumbersOf(const Change& counted) {
  return {counted.now.value, counted.base.value};
}

// Sets the numbers of samples of the rows, whose labels are `order`.
void CountSamples(const Profile& profile, std::span<const Sample> samples,
                  const FrameLabels& labels, Metric metric,
                  std::span<const uint32_t> order, FlatTable& table) {
  if (!CountsSamples(profile)) return;
  const std::vector<LabelChange> counts = SumByLabel(
      profile, CountSampled(profile, samples, metric), labels, metric);
  for (size_t i = 0; i < order.size(); ++i) {
    const LabelChange& count = counts[order[i]];
    table.rows[i].flat_samples = NumbersOf(count.flat);
    table.rows[i].cumulative_samples = NumbersOf(count.cumulative);
  }
}

// Says which changes of the rows, whose labels are `order`, are proven. `sums`
// are those of the metric of `errors`, which decides.
void JudgeChanges(const ErrorBars& errors, const std::vector<LabelChange>& sums,
                  std::span<const uint32_t> order, FlatTable& table) {
  const auto judge_part = [&](Change FlatRow::* value,
                              Change LabelChange::* part,
                              bool FlatRow::* is_proven) {
    std::vector<Change> shown, judged;
    for (size_t i = 0; i < order.size(); ++i) {
      shown.push_back(table.rows[i].*value);
      judged.push_back(sums[order[i]].*part);
    }
    const std::vector<bool> proven = errors.FindProven(shown, judged);
    for (size_t i = 0; i < proven.size(); ++i)
      table.rows[i].*is_proven = proven[i];
  };
  judge_part(&FlatRow::flat, &LabelChange::flat, &FlatRow::is_flat_proven);
  judge_part(&FlatRow::cumulative, &LabelChange::cumulative,
             &FlatRow::is_cumulative_proven);
}

}  // namespace

FlatTable MakeFlatTable(const Profile& profile, const FlatOptions& options) {
  return MakeFlatTable(profile, FrameLabels(profile, options.labels), options);
}

FlatTable MakeFlatTable(const Profile& profile, const FrameLabels& labels,
                        const FlatOptions& options) {
  const std::span samples = options.samples.value_or(profile.samples);
  const Metric judge = JudgingMetric(profile, options.metric);
  std::vector<Metric> metrics = {options.metric};
  const auto add = [&metrics](bool is_wanted, Metric metric) {
    if (is_wanted && std::ranges::find(metrics, metric) == metrics.end())
      metrics.push_back(metric);
  };
  add(options.counts_objects, ObjectsOf(options.metric));
  add(options.judges_changes, judge);
  const std::vector<std::vector<LabelChange>> all =
      SumByLabel(profile, samples, labels, metrics);
  const auto sums_of = [&](Metric metric) -> const std::vector<LabelChange>& {
    return all[static_cast<size_t>(std::ranges::find(metrics, metric) -
                                   metrics.begin())];
  };
  const std::vector<LabelChange>& sums = all.front();
  FlatTable table;
  table.shown = SumOf(profile, samples, options.metric);
  const auto& filtered_out =
      options.samples ? options.filtered_out : profile.filtered_out;
  table.total = table.shown;
  for (const Side side : kSides)
    table.total[side] += filtered_out[side][options.metric];
  const double shown = Difference(table.shown);
  const std::vector<uint32_t> order =
      OrderOfRows(sums, labels, options.sort_by_cumulative);
  table.rows.reserve(order.size());
  double running = 0;
  for (const uint32_t i : order) {
    const LabelChange& sum = sums[i];
    const double flat = Difference(sum.flat);
    running += flat;
    table.rows.push_back(
        {.name = labels.Text(i),
         .flat = sum.flat,
         .cumulative = sum.cumulative,
         .flat_percent = Percent(flat, shown),
         .running_percent = Percent(running, shown),
         .cumulative_percent = Percent(Difference(sum.cumulative), shown),
         .code = options.labels.with_code ? labels.CodeOf(i) : LabelCode()});
  }
  if (options.counts_samples)
    CountSamples(profile, samples, labels, options.metric, order, table);
  if (options.judges_changes)
    JudgeChanges(ErrorBars(profile, judge), sums_of(judge), order, table);
  if (options.counts_objects)
    for (size_t i = 0; i < order.size(); ++i) {
      const LabelChange& objects = sums_of(ObjectsOf(options.metric))[order[i]];
      table.rows[i].flat_objects = objects.flat;
      table.rows[i].cumulative_objects = objects.cumulative;
    }
  return table;
}

}  // namespace heapprof
