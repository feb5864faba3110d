// SPDX-License-Identifier: Apache-2.0
//
// The values of the samples of a series, in one of its dumps after the other.
#pragma once

#include <vector>

#include "heapprof/profile/sample_rows.h"
#include "heapprof/profile/snapshots.h"

namespace heapprof {

class SnapshotValues {
 public:
  // The values of `samples` become 0.
  explicit SnapshotValues(std::vector<Sample> samples);

  // Sets the values that a dump has changed. Ignores those of samples that
  // filters have removed.
  void Apply(const std::vector<SnapshotValue>& changes, Metric metric);

  const std::vector<Sample>& samples() const { return samples_; }

 private:
  std::vector<Sample> samples_;
  SampleRows index_;
};

}  // namespace heapprof
