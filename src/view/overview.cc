// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/overview.h"

#include <algorithm>
#include <cmath>

#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/units.h"
#include "view/label_sums.h"

namespace heapprof {
namespace {

// Returns the values charged to each label. An additional last element has the
// value of the stacks in which no call is in the user's own code.
std::vector<double> ChargeOwnCalls(const Profile& profile,
                                   const FrameLabels& labels,
                                   const OverviewOptions& options) {
  std::vector<SideSums> charged(labels.size() + 1);
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const Sample& sample = profile.samples[i];
    const auto& call = options.own_calls[i];
    const size_t label =
        call ? LabelOf(profile, sample, *call, labels) : labels.size();
    charged[label][IndexOf(sample.side)] += sample.values[options.metric];
  }
  std::vector<double> values;
  for (const SideSums& sums : charged)
    values.push_back(ChangeOf(profile, sums).value);
  return values;
}

// Makes a table of `values`, which are indexed by label. The additional last
// element becomes OverviewTable::unassigned.
OverviewTable TableOf(const std::vector<double>& values,
                      const std::vector<LabelChange>& sums,
                      const FrameLabels& labels, double shown) {
  OverviewTable table;
  for (uint32_t i = 0; i < labels.size(); ++i)
    if (values[i] != 0)
      table.rows.push_back(
          {.name = labels.Text(i),
           .value = values[i],
           .percent = Percent(values[i], shown),
           .cumulative_percent = Percent(sums[i].cumulative.value, shown)});
  std::ranges::sort(table.rows, [](const OverviewRow& a, const OverviewRow& b) {
    const double size_a = std::abs(a.value);
    const double size_b = std::abs(b.value);
    return size_a != size_b ? size_a > size_b : a.name < b.name;
  });
  table.unassigned = values.back();
  table.unassigned_percent = Percent(table.unassigned, shown);
  return table;
}

// Makes a table of one member of LabelChange: `flat` or `cumulative`.
OverviewTable TableOf(Change LabelChange::* part,
                      const std::vector<LabelChange>& sums,
                      const FrameLabels& labels, double shown) {
  std::vector<double> values;
  for (const LabelChange& sum : sums) values.push_back((sum.*part).value);
  values.push_back(0);
  return TableOf(values, sums, labels, shown);
}

// Returns the number of objects, including those that filters removed.
double TotalObjects(const Profile& profile, Metric metric) {
  const auto& [now, base] = profile.filtered_out;
  return SumOf(profile, profile.samples, metric).value + now[metric].value -
         base[metric].value;
}

void SetTotals(const Profile& profile, Metric metric, Overview& overview) {
  const Change total = UnfilteredTotal(profile, metric);
  overview.shown = SumOf(profile, profile.samples, metric).value;
  overview.total = total.value;
  if (IsObjectCount(metric)) return;
  const ErrorBars bars(profile, metric);
  overview.is_exact = bars.is_exact();
  overview.interval = bars.Of(total, Extent::kTotal);
  if (profile.has_object_counts)
    overview.objects =
        TotalObjects(profile, IsAccumulated(metric) ? Metric::kAllocObjects
                                                    : Metric::kInuseObjects);
}

}  // namespace

Overview MakeOverview(const Profile& profile, const OverviewOptions& options) {
  Overview overview = {
      .program = std::string(profile.String(profile.main_binary)),
      .time_seconds = profile.time_seconds,
      .sampling_period = profile.sampling_period,
      .metric = options.metric};
  SetTotals(profile, options.metric, overview);
  const FrameLabels labels(profile, options.labels);
  const std::vector<LabelChange> sums =
      SumByLabel(profile, profile.samples, labels, options.metric);
  overview.allocating =
      TableOf(&LabelChange::flat, sums, labels, overview.shown);
  if (!options.own_calls.empty())
    overview.own = TableOf(ChargeOwnCalls(profile, labels, options), sums,
                           labels, overview.shown);
  if (overview.own.rows.empty())
    overview.cumulative =
        TableOf(&LabelChange::cumulative, sums, labels, overview.shown);
  return overview;
}

}  // namespace heapprof
