// SPDX-License-Identifier: Apache-2.0
#include "view/label_sums.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heapprof {
namespace {

// Adds up by label the estimates that `estimate_of` returns for `samples`.
template <typename EstimateOf>
std::vector<LabelSum> Sum(const Profile& profile,
                          std::span<const Sample> samples,
                          const FrameLabels& labels, EstimateOf estimate_of) {
  std::vector<LabelSum> sums(labels.size());
  size_t sample_number = 0;
  for (const Sample& sample : samples) {
    ++sample_number;
    const Estimate& estimate = estimate_of(sample);
    // In a difference, a stack whose value has not changed still adds its
    // variance to the error of the sum.
    if (estimate.value == 0 && estimate.variance == 0) continue;
    bool leaf = true;
    for (LocationId frame : profile.StackFrames(sample.stack)) {
      for (uint32_t label : labels.Of(frame)) {
        LabelSum& sum = sums[label];
        if (std::exchange(leaf, false)) sum.flat += estimate;
        if (std::exchange(sum.last_sample, sample_number) != sample_number)
          sum.cumulative += estimate;
      }
    }
  }
  return sums;
}

// Sets a sum to 0 if its increases and decreases cancel except for a rounding
// error. The largest possible error depends on the absolute values of the terms
// of this sum. These were not added up, but their total is at most `size`, the
// total of the absolute values of all samples.
void DropRounding(double size, std::vector<LabelSum>& sums) {
  constexpr double kRoundingOfAll = 1e-14;
  for (LabelSum& sum : sums)
    for (Estimate* estimate : {&sum.flat, &sum.cumulative})
      if (std::abs(estimate->value) <= kRoundingOfAll * size)
        estimate->value = 0;
}

}  // namespace

uint32_t LabelOf(const Profile& profile, const Sample& sample,
                 const StackCall& call, const FrameLabels& labels) {
  const LocationId id = profile.StackFrames(sample.stack)[call.frame];
  const auto ids = labels.Of(id);
  const size_t inlined = call.line - profile.locations[id.index()].lines.first;
  // There may be fewer labels than calls, because adjacent calls with the same
  // label are merged.
  return ids[std::min(inlined, ids.size() - 1)];
}

std::vector<LabelSum> SumByLabel(const Profile& profile,
                                 std::span<const Sample> samples,
                                 const FrameLabels& labels, Metric metric) {
  auto sums = Sum(profile, samples, labels,
                  [metric](const Sample& sample) -> const Estimate& {
                    return sample.values[metric];
                  });
  double size = 0;
  bool shrank = false;
  for (const Sample& sample : samples) {
    size += std::abs(sample.values[metric].value);
    shrank |= sample.values[metric].value < 0;
  }
  if (shrank) DropRounding(size, sums);
  return sums;
}

std::vector<LabelSum> SumBasesByLabel(const Profile& profile,
                                      std::span<const Sample> samples,
                                      const FrameLabels& labels,
                                      Metric metric) {
  if (!profile.is_difference) return {};
  return Sum(profile, samples, labels,
             [&profile, metric](const Sample& sample) -> const Estimate& {
               return profile.bases[sample.base][metric];
             });
}

Change ChangeOf(const Estimate& sum, const Estimate& base) {
  // The variance of a difference is the sum of the variances of both sides.
  return {.value = sum.value,
          .now = {.value = sum.value + base.value,
                  .variance = std::max(0.0, sum.variance - base.variance)},
          .base = base};
}

}  // namespace heapprof
