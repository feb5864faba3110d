// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/size_table.h"

#include <cmath>
#include <map>
#include <utility>

#include "heapprof/base/sides.h"
#include "heapprof/view/change.h"
#include "heapprof/view/size_class.h"
#include "heapprof/view/units.h"
#include "view/objects_in_run.h"
#include "view/top_function.h"

namespace heapprof {
namespace {

// Divides the rows among the functions that are charged with most of all.
void SetParts(const std::vector<ChargedSums>& charged,
              const FrameLabels& labels, size_t most, SizeTable& table) {
  ChargedSums all;
  for (const ChargedSums& row : charged)
    for (const auto& [label, value] : row) all[label] += std::abs(value);
  const std::vector<uint32_t> largest = LargestCharged(all, labels, most);
  for (const uint32_t label : largest)
    table.functions.push_back(labels.Text(label));
  for (size_t i = 0; i < charged.size(); ++i) {
    double others = Difference(table.rows[i].sum);
    for (const uint32_t label : largest) {
      const auto found = charged[i].find(label);
      const double part = found == charged[i].end() ? 0 : found->second;
      table.rows[i].parts.push_back(part);
      others -= part;
    }
    table.rows[i].parts.push_back(others);
  }
}

}  // namespace

SizeTable MakeSizeTable(const Profile& profile, Metric metric,
                        const FrameLabels& labels, const CallsOfStacks& calls,
                        size_t most_functions) {
  const bool is_accumulated = IsAccumulated(metric);
  const Metric objects = ObjectsOf(metric);
  const ObjectsOfSamples objects_of(profile, metric);
  std::map<uint64_t, std::vector<Sample>> classes;
  double all = 0, mean = 0;
  for (const Sample& sample : profile.samples) {
    const double value = sample.values[metric].value;
    if (value == 0) continue;
    const auto [count, bytes, period] = objects_of.Of(sample);
    classes[SizeClassOfObjects(count, bytes, sample.one_size ? 0 : period)]
        .push_back(sample);
    all += std::abs(value);
    if (is_accumulated || !sample.one_size) mean += std::abs(value);
  }
  SizeTable table = {.rows = {}, .mean_percent = Percent(mean, all)};
  Sides<double> totals = {};
  std::vector<ChargedSums> charged;  // by row
  for (const auto& [size, samples] : classes) {
    ChargedSums sums = SumsByCharged(profile, samples, metric, labels, calls);
    const auto top = LargestCharged(sums, labels, 1);
    SizeRow row = {.size = size,
                   .sum = SumOf(profile, samples, metric),
                   .objects = Difference(SumOf(profile, samples, objects)),
                   .samples = SampledObjects(profile, samples, metric),
                   .top_function = top.empty() ? "" : labels.Text(top.front())};
    totals.now += row.sum.now.value;
    totals.base += row.sum.base.value;
    if (Difference(row.sum) == 0) continue;
    table.rows.push_back(std::move(row));
    charged.push_back(std::move(sums));
  }
  if (most_functions > 0) SetParts(charged, labels, most_functions, table);
  const double larger =
      std::abs(totals.base) > std::abs(totals.now) ? totals.base : totals.now;
  for (SizeRow& row : table.rows)
    row.percent = Percent(Difference(row.sum), larger);
  return table;
}

}  // namespace heapprof
