// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/flat_table.h"

#include <algorithm>
#include <utility>

#include "heapprof/view/frame_labels.h"

namespace heapprof {
namespace {

double Percent(double part, double whole) {
  return whole == 0 ? 0 : 100.0 * part / whole;
}

struct Sums {
  Estimate flat;
  Estimate cumulative;
  size_t last_sample = 0;  // counted from 1: the last stack it was seen in
};

std::vector<Sums> AddUp(const Profile& profile, const FrameLabels& labels,
                        Metric metric) {
  std::vector<Sums> sums(labels.size());
  size_t sample_number = 0;
  for (const Sample& sample : profile.samples) {
    ++sample_number;
    const Estimate& value = sample.values[metric];
    if (value.value == 0) continue;
    bool leaf = true;
    for (LocationId frame : profile.StackFrames(sample.stack)) {
      for (uint32_t label : labels.Of(frame)) {
        Sums& sum = sums[label];
        if (std::exchange(leaf, false)) sum.flat += value;
        if (std::exchange(sum.last_sample, sample_number) != sample_number)
          sum.cumulative += value;
      }
    }
  }
  return sums;
}

}  // namespace

FlatTable MakeFlatTable(const Profile& profile, const FlatOptions& options) {
  const FrameLabels labels(profile, options.labels);
  const std::vector<Sums> sums = AddUp(profile, labels, options.metric);
  FlatTable table;
  for (const Sample& sample : profile.samples)
    table.total += sample.values[options.metric];
  for (uint32_t i = 0; i < sums.size(); ++i) {
    const Sums& sum = sums[i];
    if (sum.flat.value == 0 && sum.cumulative.value == 0) continue;
    table.rows.push_back(
        {.name = labels.Text(i),
         .flat = sum.flat,
         .cumulative = sum.cumulative,
         .flat_percent = Percent(sum.flat.value, table.total.value),
         .cumulative_percent =
             Percent(sum.cumulative.value, table.total.value)});
  }
  std::ranges::sort(table.rows, [&](const FlatRow& a, const FlatRow& b) {
    const double key_a =
        options.sort_by_cumulative ? a.cumulative.value : a.flat.value;
    const double key_b =
        options.sort_by_cumulative ? b.cumulative.value : b.flat.value;
    return key_a != key_b ? key_a > key_b : a.name < b.name;
  });
  double running = 0;
  for (FlatRow& row : table.rows) {
    running += row.flat.value;
    row.running_percent = Percent(running, table.total.value);
  }
  return table;
}

}  // namespace heapprof
