// SPDX-License-Identifier: Apache-2.0
#include "view/label_sums.h"

#include <utility>

namespace heapprof {

std::vector<LabelSum> SumByLabel(const Profile& profile,
                                 std::span<const Sample> samples,
                                 const FrameLabels& labels, Metric metric) {
  std::vector<LabelSum> sums(labels.size());
  size_t sample_number = 0;
  for (const Sample& sample : samples) {
    ++sample_number;
    const Estimate& value = sample.values[metric];
    if (value.value == 0) continue;
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
  return sums;
}

}  // namespace heapprof
