// SPDX-License-Identifier: Apache-2.0
//
// Adds up the values of a profile's stacks by the labels of their frames.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

// Returns the label of `call`, which is in the stack of `sample`. The labels
// may not be those of groups, which calls do not have.
uint32_t LabelOf(const Profile& profile, const Sample& sample,
                 const StackCall& call, const FrameLabels& labels);

// What a label holds or, in a comparison, by how much that has changed.
struct LabelChange {
  Change flat;
  Change cumulative;

  // True if reports that show only changes leave out the label.
  bool IsZero() const {
    return Difference(flat) == 0 && Difference(cumulative) == 0;
  }
};

// Returns the sums of `samples`, indexed by label id.
std::vector<LabelChange> SumByLabel(const Profile& profile,
                                    std::span<const Sample> samples,
                                    const FrameLabels& labels, Metric metric);
// The same for each of `metrics`, in one pass over the stacks.
std::vector<std::vector<LabelChange>> SumByLabel(
    const Profile& profile, std::span<const Sample> samples,
    const FrameLabels& labels, std::span<const Metric> metrics);

// The same, to be looked up by metric.
class SumsOfMetrics {
 public:
  // `metrics` may have one several times.
  SumsOfMetrics(const Profile& profile, std::span<const Sample> samples,
                const FrameLabels& labels, std::span<const Metric> metrics);

  // `metric` must be one of those of the constructor.
  const std::vector<LabelChange>& Of(Metric metric) const;

 private:
  std::vector<Metric> metrics_;                 // each once
  std::vector<std::vector<LabelChange>> sums_;  // by index of `metrics_`
};

}  // namespace heapprof
