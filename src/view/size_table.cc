// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/size_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "heapprof/view/change.h"
#include "heapprof/view/object_sizes.h"
#include "heapprof/view/units.h"
#include "view/top_function.h"

namespace heapprof {
namespace {

uint64_t ClassOf(const Sample& sample, Metric objects, Metric bytes) {
  const double size = std::abs(sample.values[bytes].value) /
                      std::abs(sample.values[objects].value);
  // Above this, every size is in a class of its own.
  constexpr double kLargest = 1e18;
  if (!(size < kLargest)) return 0;
  return SizeClassOf(static_cast<uint64_t>(std::llround(size)));
}

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

uint64_t SizeClassOf(uint64_t size) {
  constexpr uint64_t kSmallest = 8, kQuantum = 16, kLastOfQuantum = 128;
  if (size <= kSmallest) return kSmallest;
  const uint64_t step =
      size <= kLastOfQuantum ? kQuantum : std::bit_floor(size - 1) / 4;
  return (size + step - 1) / step * step;
}

SizeTable MakeSizeTable(const Profile& profile, Metric metric,
                        const FrameLabels& labels, const CallsOfStacks& calls,
                        size_t most_functions) {
  const bool is_accumulated = IsAccumulated(metric);
  const Metric objects = ObjectsOf(metric);
  const Metric bytes =
      is_accumulated ? Metric::kAllocSpace : Metric::kInuseSpace;
  std::map<uint64_t, std::vector<Sample>> classes;
  double all = 0, mean = 0;
  for (const Sample& sample : profile.samples) {
    const double value = sample.values[metric].value;
    if (value == 0) continue;
    classes[ClassOf(sample, objects, bytes)].push_back(sample);
    all += std::abs(value);
    if (is_accumulated || !sample.one_size) mean += std::abs(value);
  }
  SizeTable table = {.rows = {}, .mean_percent = Percent(mean, all)};
  double total = 0;
  std::vector<ChargedSums> charged;  // by row
  for (const auto& [size, samples] : classes) {
    ChargedSums sums = SumsByCharged(profile, samples, metric, labels, calls);
    const auto top = LargestCharged(sums, labels, 1);
    SizeRow row = {.size = size,
                   .sum = SumOf(profile, samples, metric),
                   .objects = Difference(SumOf(profile, samples, objects)),
                   .samples = SampledObjects(profile, samples, metric),
                   .top_function = top.empty() ? "" : labels.Text(top.front())};
    const double held = Difference(row.sum);
    if (held == 0) continue;
    total += held;
    table.rows.push_back(std::move(row));
    charged.push_back(std::move(sums));
  }
  if (most_functions > 0) SetParts(charged, labels, most_functions, table);
  for (SizeRow& row : table.rows)
    row.percent = Percent(Difference(row.sum), total);
  return table;
}

}  // namespace heapprof
