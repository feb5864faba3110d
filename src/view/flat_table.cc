// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/flat_table.h"

#include <algorithm>
#include <cmath>

#include "heapprof/view/change.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/units.h"
#include "view/label_sums.h"

namespace heapprof {
namespace {

// The labels that get a row, in the order of the rows. (Rows are too large to
// sort.)
std::vector<uint32_t> OrderOf(const std::vector<LabelSum>& sums,
                              const FrameLabels& labels,
                              bool sort_by_cumulative) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < sums.size(); ++i)
    if (sums[i].flat.value != 0 || sums[i].cumulative.value != 0)
      order.push_back(i);
  const auto key = [&](uint32_t label) {
    return std::abs(sort_by_cumulative ? sums[label].cumulative.value
                                       : sums[label].flat.value);
  };
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    const double key_a = key(a);
    const double key_b = key(b);
    return key_a != key_b ? key_a > key_b : labels.Text(a) < labels.Text(b);
  });
  return order;
}

}  // namespace

FlatTable MakeFlatTable(const Profile& profile, const FlatOptions& options) {
  const FrameLabels labels(profile, options.labels);
  const std::span samples = options.samples.value_or(profile.samples);
  const std::vector<LabelSum> sums =
      SumByLabel(profile, samples, labels, options.metric);
  FlatTable table;
  table.shown = SumOf(profile, samples, options.metric);
  table.total.value = table.shown.value;
  const Values& filtered_out =
      options.samples ? options.filtered_out : profile.filtered_out;
  table.total.value += filtered_out[options.metric].value;
  double running = 0;
  for (const uint32_t i : OrderOf(sums, labels, options.sort_by_cumulative)) {
    const LabelSum& sum = sums[i];
    running += sum.flat.value;
    table.rows.push_back(
        {.name = labels.Text(i),
         .flat = sum.flat,
         .cumulative = sum.cumulative,
         .flat_percent = Percent(sum.flat.value, table.shown.value),
         .running_percent = Percent(running, table.shown.value),
         .cumulative_percent =
             Percent(sum.cumulative.value, table.shown.value)});
  }
  return table;
}

}  // namespace heapprof
