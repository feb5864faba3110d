// SPDX-License-Identifier: Apache-2.0
#include "view/label_sums.h"

#include <cmath>
#include <utility>

namespace heapprof {
namespace {

// Sets a sum to 0 if increases and decreases cancel but for a rounding error.
// The size of the terms of one row is not known, but it is at most `size`, that
// of all terms.
void DropRounding(double size, std::vector<LabelSum>& sums) {
  constexpr double kRoundingOfAll = 1e-14;
  for (LabelSum& sum : sums)
    for (Estimate* estimate : {&sum.flat, &sum.cumulative})
      if (std::abs(estimate->value) <= kRoundingOfAll * size)
        estimate->value = 0;
}

}  // namespace

std::vector<LabelSum> SumByLabel(const Profile& profile,
                                 std::span<const Sample> samples,
                                 const FrameLabels& labels, Metric metric) {
  std::vector<LabelSum> sums(labels.size());
  double size = 0;
  bool shrank = false;
  size_t sample_number = 0;
  for (const Sample& sample : samples) {
    ++sample_number;
    const Estimate& value = sample.values[metric];
    if (value.value == 0) continue;
    size += std::abs(value.value);
    shrank |= value.value < 0;
    bool leaf = true;
    for (LocationId frame : profile.StackFrames(sample.stack)) {
      for (uint32_t label : labels.Of(frame)) {
        LabelSum& sum = sums[label];
        if (std::exchange(leaf, false)) sum.flat += value;
        if (std::exchange(sum.last_sample, sample_number) != sample_number)
          sum.cumulative += value;
      }
    }
  }
  if (shrank) DropRounding(size, sums);
  return sums;
}

}  // namespace heapprof
