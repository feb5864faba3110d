// SPDX-License-Identifier: Apache-2.0
#include "view/top_function.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "view/label_sums.h"

namespace heapprof {
namespace {

std::optional<uint32_t> ChargedLabel(const Profile& profile,
                                     const Sample& sample,
                                     const FrameLabels& labels,
                                     const CallsOfStacks& calls) {
  if (!calls.empty())
    if (const auto& call = calls[sample.stack.index()])
      return LabelOf(profile, sample, *call, labels);
  return labels.LeafOf(profile.StackFrames(sample.stack));
}

}  // namespace

ChargedSums SumsByCharged(const Profile& profile,
                          std::span<const Sample> samples, Metric metric,
                          const FrameLabels& labels,
                          const CallsOfStacks& calls) {
  ChargedSums charged;
  for (const Sample& sample : samples) {
    const double value = sample.values[metric].value;
    if (value == 0) continue;
    if (const auto label = ChargedLabel(profile, sample, labels, calls))
      charged[*label] += sample.side == Side::kNew ? value : -value;
  }
  return charged;
}

std::vector<uint32_t> LargestCharged(const ChargedSums& sums,
                                     const FrameLabels& labels, size_t most) {
  std::vector<std::pair<uint32_t, double>> sorted;
  for (const auto& [label, value] : sums)
    if (value != 0) sorted.emplace_back(label, std::abs(value));
  const auto is_before = [&](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second
                                : labels.Text(a.first) < labels.Text(b.first);
  };
  const size_t count = std::min(most, sorted.size());
  std::ranges::partial_sort(
      sorted, sorted.begin() + static_cast<ptrdiff_t>(count), is_before);
  std::vector<uint32_t> largest;
  for (size_t i = 0; i < count; ++i) largest.push_back(sorted[i].first);
  return largest;
}

std::string TopFunction(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const FrameLabels& labels,
                        const CallsOfStacks& calls) {
  const auto largest = LargestCharged(
      SumsByCharged(profile, samples, metric, labels, calls), labels, 1);
  return largest.empty() ? "" : labels.Text(largest.front());
}

}  // namespace heapprof
