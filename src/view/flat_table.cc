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

// Returns the metrics whose sums a table needs. `judge` is the one whose errors
// say which changes are proven.
std::vector<Metric> MetricsOf(const FlatOptions& options, Metric judge) {
  std::vector<Metric> metrics = {options.metric};
  if (options.counts_objects) metrics.push_back(ObjectsOf(options.metric));
  if (options.judges_changes) metrics.push_back(judge);
  return metrics;
}

// Adds a row for each label of `order`. Percentages are those of
// FlatTable::shown.
void AddRows(const std::vector<LabelChange>& sums,
             std::span<const uint32_t> order, const FrameLabels& labels,
             bool with_code, FlatTable& table) {
  const double shown = Difference(table.shown);
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
         .code = with_code ? labels.CodeOf(i) : LabelCode()});
  }
}

// The functions below set members of the rows, whose labels are `order`.

void SetSamples(const std::vector<LabelChange>& counts,
                std::span<const uint32_t> order, FlatTable& table) {
  for (size_t i = 0; i < order.size(); ++i) {
    const LabelChange& count = counts[order[i]];
    table.rows[i].flat_samples = NumbersOf(count.flat);
    table.rows[i].cumulative_samples = NumbersOf(count.cumulative);
  }
}

void SetObjects(const std::vector<LabelChange>& objects,
                std::span<const uint32_t> order, FlatTable& table) {
  for (size_t i = 0; i < order.size(); ++i) {
    table.rows[i].flat_objects = objects[order[i]].flat;
    table.rows[i].cumulative_objects = objects[order[i]].cumulative;
  }
}

// Says which changes are proven. `sums` are those of the metric of `errors`,
// which decides.
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
  const SumsOfMetrics sums(profile, samples, labels, MetricsOf(options, judge));
  FlatTable table;
  table.shown = SumOf(profile, samples, options.metric);
  const auto& filtered_out =
      options.samples ? options.filtered_out : profile.filtered_out;
  table.total = table.shown;
  for (const Side side : kSides)
    table.total[side] += filtered_out[side][options.metric];
  const std::vector<uint32_t> order =
      OrderOfRows(sums.Of(options.metric), labels, options.sort_by_cumulative);
  AddRows(sums.Of(options.metric), order, labels, options.labels.with_code,
          table);
  if (options.counts_samples && CountsSamples(profile))
    SetSamples(
        SumByLabel(profile, CountSampled(profile, samples, options.metric),
                   labels, options.metric),
        order, table);
  if (options.counts_objects)
    SetObjects(sums.Of(ObjectsOf(options.metric)), order, table);
  if (options.judges_changes)
    JudgeChanges(ErrorBars(profile, judge), sums.Of(judge), order, table);
  return table;
}

}  // namespace heapprof
