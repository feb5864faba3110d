// SPDX-License-Identifier: Apache-2.0
#include "view/top_function.h"

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "view/label_sums.h"

namespace heapprof {
namespace {

std::optional<uint32_t> ChargedLabel(
    const Profile& profile, const Sample& sample, const FrameLabels& labels,
    std::span<const std::optional<StackCall>> calls) {
  if (!calls.empty())
    if (const auto& call = calls[sample.stack.index()])
      return LabelOf(profile, sample, *call, labels);
  const auto frames = profile.StackFrames(sample.stack);
  if (frames.empty() || labels.Of(frames.front()).empty()) return std::nullopt;
  return labels.Of(frames.front()).front();
}

}  // namespace

std::string TopFunction(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const FrameLabels& labels,
                        std::span<const std::optional<StackCall>> calls) {
  std::unordered_map<uint32_t, double> charged;
  for (const Sample& sample : samples) {
    const double value = sample.values[metric].value;
    if (value == 0) continue;
    if (const auto label = ChargedLabel(profile, sample, labels, calls))
      charged[*label] += sample.side == Side::kNew ? value : -value;
  }
  const std::pair<const uint32_t, double>* top = nullptr;
  for (const auto& entry : charged) {
    const double size = std::abs(entry.second);
    const double top_size = top == nullptr ? 0 : std::abs(top->second);
    if (size > top_size || (size == top_size && top != nullptr &&
                            labels.Text(entry.first) < labels.Text(top->first)))
      top = &entry;
  }
  return top == nullptr ? "" : labels.Text(top->first);
}

}  // namespace heapprof
