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

// Returns the labels that get a row, in the order of the rows. (Labels are
// sorted, not rows, because rows are too large to be moved often.)
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

// Returns the change of a label: of the member `part` (flat or cumulative) of
// its sum. `bases` has the sums that were subtracted, by label; it is empty if
// the profile is not a difference.
Change PartOf(const std::vector<LabelSum>& sums,
              const std::vector<LabelSum>& bases, uint32_t label,
              Estimate LabelSum::* part) {
  const Estimate& sum = sums[label].*part;
  if (bases.empty()) return {.value = sum.value, .now = sum, .base = {}};
  return ChangeOf(sum, bases[label].*part);
}

}  // namespace

FlatTable MakeFlatTable(const Profile& profile, const FlatOptions& options) {
  return MakeFlatTable(profile, FrameLabels(profile, options.labels), options);
}

FlatTable MakeFlatTable(const Profile& profile, const FrameLabels& labels,
                        const FlatOptions& options) {
  const std::span samples = options.samples.value_or(profile.samples);
  const std::vector<LabelSum> sums =
      SumByLabel(profile, samples, labels, options.metric);
  const std::vector<LabelSum> bases =
      SumBasesByLabel(profile, samples, labels, options.metric);
  FlatTable table;
  table.shown = SumOf(profile, samples, options.metric);
  table.total.value = table.shown.value;
  const Values& filtered_out =
      options.samples ? options.filtered_out : profile.filtered_out;
  table.total.value += filtered_out[options.metric].value;
  const std::vector<uint32_t> order =
      OrderOf(sums, labels, options.sort_by_cumulative);
  table.rows.reserve(order.size());
  double running = 0;
  for (const uint32_t i : order) {
    const LabelSum& sum = sums[i];
    running += sum.flat.value;
    table.rows.push_back(
        {.name = labels.Text(i),
         .flat = PartOf(sums, bases, i, &LabelSum::flat),
         .cumulative = PartOf(sums, bases, i, &LabelSum::cumulative),
         .flat_percent = Percent(sum.flat.value, table.shown.value),
         .running_percent = Percent(running, table.shown.value),
         .cumulative_percent = Percent(sum.cumulative.value, table.shown.value),
         .code = options.labels.with_code ? labels.CodeOf(i) : LabelCode()});
  }
  return table;
}

}  // namespace heapprof
