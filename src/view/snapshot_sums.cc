// SPDX-License-Identifier: Apache-2.0
#include "view/snapshot_sums.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "heapprof/profile/sampling_period.h"
#include "heapprof/profile/shared_variance.h"
#include "view/snapshot_values.h"

namespace heapprof {
namespace {

class SnapshotAdder {
 public:
  SnapshotAdder(const Snapshots& snapshots, CompareBy by,
                const ComparedEntries& found)
      : snapshots_(snapshots),
        by_(by),
        found_(found),
        stacks_(snapshots.profile.samples),
        threads_(snapshots.profile.thread_samples),
        filtered_threads_(snapshots.profile.filtered_thread_samples),
        last_(found.entries.size()) {
    sums_.entries.resize(found.entries.size());
    // SharedSeeds examines the threads of one dump at a time.
    one_dump_.threads = snapshots.profile.threads;
  }

  SnapshotSums AddAll() && {
    for (const Snapshot& dump : snapshots_.dumps) AddDump(dump);
    return std::move(sums_);
  }

 private:
  void AddDump(const Snapshot& dump) {
    stacks_.Apply(dump.changes, snapshots_.metric);
    threads_.Apply(dump.thread_changes, snapshots_.metric);
    filtered_threads_.Apply(dump.thread_changes, snapshots_.metric);
    Estimate& total = sums_.total.emplace_back();
    sums_.repetitions.emplace_back();
    for (const Sample& sample : stacks_.samples())
      total += sample.values[snapshots_.metric];
    for (auto& entry : sums_.entries) entry.emplace_back();
    const auto& samples =
        (by_ == CompareBy::kThread ? threads_ : stacks_).samples();
    for (const Sample& sample : samples) AddSample(sample);
    if (dump.has_threads) AddSharedVariances(dump, total);
    if (!SamplesEverything(dump.run.sampling_period)) return;
    total.variance = 0;
    for (auto& entry : sums_.entries) entry.back().variance = 0;
  }

  void AddSample(const Sample& sample) {
    const Estimate& value = sample.values[snapshots_.metric];
    if (value.value == 0) return;
    ++sample_number_;
    for (const uint32_t entry : found_.samples.Of(sample))
      if (std::exchange(last_[entry], sample_number_) != sample_number_)
        sums_.entries[entry].back() += value;
  }

  // Adds what threads with the same random seed add to the errors.
  void AddSharedVariances(const Snapshot& dump, Estimate& total) {
    one_dump_.runs.now = {dump.run};
    one_dump_.thread_samples = threads_.samples();
    one_dump_.filtered_thread_samples = filtered_threads_.samples();
    const SharedSeeds seeds(one_dump_);
    if (!seeds.IsPossible(Side::kNew)) return;
    const std::vector<Sample>& samples = one_dump_.thread_samples;
    for (const auto& shared :
         seeds.Of(samples, snapshots_.metric, 1, AllInOneEntry))
      total.variance += shared.variance;
    sums_.repetitions.back() = {total,
                                static_cast<double>(dump.run.sampling_period)};
    for (const auto& shared :
         seeds.Of(samples, snapshots_.metric, sums_.entries.size(),
                  EntriesIn(found_.samples)))
      sums_.entries[shared.entry].back().variance += shared.variance;
  }

  const Snapshots& snapshots_;
  CompareBy by_;
  const ComparedEntries& found_;
  SnapshotValues stacks_, threads_, filtered_threads_;
  std::vector<size_t> last_;  // by entry: the last sample that was added
  size_t sample_number_ = 0;
  Profile one_dump_;
  SnapshotSums sums_;
};

}  // namespace

SnapshotSums SumSnapshots(const Snapshots& snapshots, CompareBy by,
                          const ComparedEntries& found) {
  return SnapshotAdder(snapshots, by, found).AddAll();
}

}  // namespace heapprof
