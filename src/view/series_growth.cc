// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/series_growth.h"

#include <utility>
#include <vector>

#include "view/snapshot_values.h"

namespace heapprof {
namespace {

using Changes = std::vector<SnapshotValue> Snapshot::*;

// Adds those of `samples` that have a value in the first or in the last dump.
std::vector<Sample> SamplesOfEnds(const Snapshots& snapshots,
                                  std::vector<Sample> samples,
                                  Changes changes) {
  SnapshotValues values(std::move(samples));
  std::vector<Sample> added;
  const auto add = [&](Side side) {
    for (Sample sample : values.samples()) {
      if (sample.values[snapshots.metric].value == 0) continue;
      sample.side = side;
      sample.run = 0;
      added.push_back(sample);
    }
  };
  for (const Snapshot& dump : snapshots.dumps) {
    values.Apply(dump.*changes, snapshots.metric);
    if (&dump == &snapshots.dumps.front()) add(Side::kBase);
  }
  add(Side::kNew);
  return added;
}

}  // namespace

Profile CompareEnds(Snapshots snapshots) {
  Profile profile = std::move(snapshots.profile);
  profile.samples =
      SamplesOfEnds(snapshots, std::move(profile.samples), &Snapshot::changes);
  profile.thread_samples = SamplesOfEnds(
      snapshots, std::move(profile.thread_samples), &Snapshot::thread_changes);
  profile.filtered_out = {};
  profile.filtered_thread_samples.clear();
  profile.is_comparison = true;
  profile.runs.base = {snapshots.dumps.front().run};
  profile.runs.now = {snapshots.dumps.back().run};
  return profile;
}

}  // namespace heapprof
