// SPDX-License-Identifier: Apache-2.0
#include "view/snapshot_values.h"

#include <utility>

namespace heapprof {

SnapshotValues::SnapshotValues(std::vector<Sample> samples)
    : samples_(std::move(samples)) {
  for (size_t i = 0; i < samples_.size(); ++i) {
    index_.FindOrAdd(samples_[i].stack, samples_[i].thread, i);
    samples_[i].values = {};
  }
}

void SnapshotValues::Apply(const std::vector<SnapshotValue>& changes,
                           Metric metric) {
  for (const SnapshotValue& change : changes)
    if (const uint32_t row = index_.Find(change.stack, change.thread);
        row != kNoIndex)
      samples_[row].values[metric] = change.value;
}

}  // namespace heapprof
