// SPDX-License-Identifier: Apache-2.0
//
// Collects the dumps of one process, one after the other, so that only one has
// to be in memory.
#pragma once

#include <memory>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/snapshots.h"

namespace heapprof {

struct CollectOptions {
  Metric metric = Metric::kInuseSpace;
  // Keep the values of threads even if no error bar depends on them.
  bool keeps_threads = false;
};

class SnapshotCollector {
 public:
  explicit SnapshotCollector(const CollectOptions& options);
  SnapshotCollector(SnapshotCollector&& other) noexcept;
  SnapshotCollector& operator=(SnapshotCollector&& other) noexcept;
  ~SnapshotCollector();

  // The binaries of `dump` must have been found, so that the same code has the
  // same module address in each dump.
  void Add(Profile dump);
  Snapshots Finish() &&;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heapprof
