// SPDX-License-Identifier: Apache-2.0
#include "view/snapshot_values.h"

#include <utility>

namespace heapprof {
namespace {

uint64_t KeyOf(StackId stack, ThreadId thread) {
  return uint64_t{thread.value} << 32 | stack.value;
}

}  // namespace

SnapshotValues::SnapshotValues(std::vector<Sample> samples)
    : samples_(std::move(samples)) {
  for (size_t i = 0; i < samples_.size(); ++i) {
    index_[KeyOf(samples_[i].stack, samples_[i].thread)] = i;
    samples_[i].values = {};
  }
}

void SnapshotValues::Apply(const std::vector<SnapshotValue>& changes,
                           Metric metric) {
  for (const SnapshotValue& change : changes)
    if (const auto it = index_.find(KeyOf(change.stack, change.thread));
        it != index_.end())
      samples_[it->second].values[metric] = change.value;
}

}  // namespace heapprof
