// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/flat_table.h"

#include <algorithm>

#include "heapprof/view/frame_labels.h"
#include "heapprof/view/units.h"
#include "view/label_sums.h"

namespace heapprof {

FlatTable MakeFlatTable(const Profile& profile, const FlatOptions& options) {
  const FrameLabels labels(profile, options.labels);
  const std::span samples = options.samples.value_or(profile.samples);
  const std::vector<LabelSum> sums =
      SumByLabel(profile, samples, labels, options.metric);
  FlatTable table;
  for (const Sample& sample : samples)
    table.shown += sample.values[options.metric];
  table.total = table.shown;
  const Values& filtered_out =
      options.samples ? options.filtered_out : profile.filtered_out;
  table.total += filtered_out[options.metric];
  for (uint32_t i = 0; i < sums.size(); ++i) {
    const LabelSum& sum = sums[i];
    if (sum.flat.value == 0 && sum.cumulative.value == 0) continue;
    table.rows.push_back(
        {.name = labels.Text(i),
         .flat = sum.flat,
         .cumulative = sum.cumulative,
         .flat_percent = Percent(sum.flat.value, table.shown.value),
         .cumulative_percent =
             Percent(sum.cumulative.value, table.shown.value)});
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
    row.running_percent = Percent(running, table.shown.value);
  }
  return table;
}

}  // namespace heapprof
