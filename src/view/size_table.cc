// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/size_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "heapprof/view/change.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// The samples of one class.
struct ClassSamples {
  std::vector<Sample> samples;
  std::map<uint32_t, double> by_leaf;  // the leaf's label, and its value
};

uint64_t ClassOf(const Sample& sample, Metric objects, Metric bytes) {
  const double size = std::abs(sample.values[bytes].value) /
                      std::abs(sample.values[objects].value);
  // Above this, every size is in a class of its own.
  constexpr double kLargest = 1e18;
  if (!(size < kLargest)) return 0;
  return SizeClassOf(static_cast<uint64_t>(std::llround(size)));
}

std::string TopFunction(const std::map<uint32_t, double>& by_leaf,
                        const FrameLabels& labels) {
  const std::pair<const uint32_t, double>* top = nullptr;
  for (const auto& leaf : by_leaf) {
    const double size = std::abs(leaf.second);
    const double top_size = top == nullptr ? 0 : std::abs(top->second);
    if (size > top_size || (size == top_size && top != nullptr &&
                            labels.Text(leaf.first) < labels.Text(top->first)))
      top = &leaf;
  }
  return top == nullptr ? "" : labels.Text(top->first);
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
                        const FrameLabels& labels) {
  const bool is_accumulated = IsAccumulated(metric);
  const Metric objects =
      is_accumulated ? Metric::kAllocObjects : Metric::kInuseObjects;
  const Metric bytes =
      is_accumulated ? Metric::kAllocSpace : Metric::kInuseSpace;
  std::map<uint64_t, ClassSamples> classes;
  double all = 0, mean = 0;
  for (const Sample& sample : profile.samples) {
    const double value = sample.values[metric].value;
    if (value == 0) continue;
    ClassSamples& of_class = classes[ClassOf(sample, objects, bytes)];
    of_class.samples.push_back(sample);
    all += std::abs(value);
    if (is_accumulated || !sample.one_size) mean += std::abs(value);
    const auto frames = profile.StackFrames(sample.stack);
    if (!frames.empty() && !labels.Of(frames.front()).empty())
      of_class.by_leaf[labels.Of(frames.front()).front()] +=
          sample.side == Side::kNew ? value : -value;
  }
  SizeTable table = {.rows = {}, .mean_percent = Percent(mean, all)};
  double total = 0;
  for (const auto& [size, of_class] : classes) {
    SizeRow row = {
        .size = size,
        .sum = SumOf(profile, of_class.samples, metric),
        .objects = Difference(SumOf(profile, of_class.samples, objects)),
        .samples = SampledObjects(profile, of_class.samples, metric),
        .top_function = TopFunction(of_class.by_leaf, labels)};
    const double held = Difference(row.sum);
    if (held == 0) continue;
    total += held;
    table.rows.push_back(std::move(row));
  }
  for (SizeRow& row : table.rows)
    row.percent = Percent(Difference(row.sum), total);
  return table;
}

}  // namespace heapprof
