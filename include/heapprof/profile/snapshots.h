// SPDX-License-Identifier: Apache-2.0
//
// Many dumps of one process: the stacks of all dumps once, and for each dump
// the values that differ from those of the dump before. Most memory of a
// process stays, so that a dump takes far less room than as a profile of its
// own.
#pragma once

#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// The value of a stack or, if `thread` is set, of what a thread has of it.
struct SnapshotValue {
  StackId stack = {};
  ThreadId thread = {};
  Estimate value = {};
};

struct Snapshot {
  InputRun run = {};
  double allocated = 0;  // bytes since the start of the process; 0 if unknown
  std::vector<SnapshotValue> changes = {};
  // Without `has_threads`, nothing depends on the threads of this dump (see
  // SharedSeeds), and the changes are part of those of a later dump.
  bool has_threads = false;
  std::vector<SnapshotValue> thread_changes = {};
};

struct Snapshots {
  // Has one sample for each stack, and one thread sample for each stack of a
  // thread. Their values, of one metric, are the largest of all dumps. The
  // passes of a report may change frames and remove samples, but no StackId.
  Profile profile;
  Metric metric = Metric::kInuseSpace;
  std::vector<Snapshot> dumps = {};
};

}  // namespace heapprof
