// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/collect_snapshots.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "heapprof/profile/sample_rows.h"
#include "heapprof/stats/shared_seeds.h"
#include "transform/merger.h"

namespace heapprof {
namespace {

bool AreEqual(const Estimate& a, const Estimate& b) {
  return a.value == b.value && a.variance == b.variance;
}

// The values of all stacks, or of all stacks of threads, in the latest dump.
class ValueTable {
 public:
  // Adds up the samples of a dump. Returns what differs from the dump before.
  std::vector<SnapshotValue> Update(const std::vector<Sample>& samples,
                                    Metric metric) {
    for (const Sample& sample : samples)
      RowOf(sample).sum += sample.values[metric];
    std::vector<SnapshotValue> changes;
    for (Row& row : rows_) {
      const Estimate sum = std::exchange(row.sum, {});
      if (AreEqual(sum, row.value)) continue;
      row.value = sum;
      if (sum.value > row.largest.value) row.largest = sum;
      changes.push_back({row.stack, row.thread, sum});
    }
    return changes;
  }

  std::vector<Sample> LargestValues(Metric metric) const {
    std::vector<Sample> samples;
    for (const Row& row : rows_) {
      Sample sample = {.stack = row.stack, .thread = row.thread};
      sample.values[metric] = row.largest;
      samples.push_back(sample);
    }
    return samples;
  }

 private:
  struct Row {
    StackId stack = {};
    ThreadId thread = {};
    Estimate sum = {};  // of the samples added so far
    Estimate value = {};
    Estimate largest = {};
  };

  Row& RowOf(const Sample& sample) {
    const uint32_t row =
        index_.FindOrAdd(sample.stack, sample.thread, rows_.size());
    if (row == rows_.size())
      rows_.push_back({.stack = sample.stack, .thread = sample.thread});
    return rows_[row];
  }

  std::vector<Row> rows_;
  SampleRows index_;
};

double TotalAllocated(const Profile& profile) {
  double sum = 0;
  for (const Sample& sample : profile.samples)
    sum += sample.values[Metric::kAllocSpace].value;
  return sum;
}

// Returns how many threads have samples but none of `metric`: they ran, and so
// may have shared a seed with others, but are in no snapshot.
uint32_t ThreadsWithout(Metric metric, const Profile& profile) {
  enum : uint8_t { kNoSample, kOther, kOfMetric };
  std::vector<uint8_t> found(profile.threads.size(), kNoSample);
  for (const Sample& sample : profile.thread_samples) {
    uint8_t& of_thread = found[sample.thread.index()];
    if (sample.values[metric].value != 0)
      of_thread = kOfMetric;
    else if (of_thread == kNoSample && !sample.values.AllZero())
      of_thread = kOther;
  }
  return static_cast<uint32_t>(std::ranges::count(found, kOther));
}

bool MayShareSeeds(const Profile& profile) {
  return MostThreadsWithOneSeed(profile.threads.size() - 1,
                                profile.thread_stacks.now) > 0;
}

}  // namespace

class SnapshotCollector::Impl {
 public:
  explicit Impl(const CollectOptions& options) : options_(options) {}

  void Add(Profile dump) {
    Snapshot& added = dumps_.emplace_back();
    added.run = {.sampling_period = dump.sampling_period,
                 .thread_stacks = dump.thread_stacks.now,
                 .dropped_threads = ThreadsWithout(options_.metric, dump)};
    added.allocated = TotalAllocated(dump);
    added.has_threads = options_.keeps_threads || MayShareSeeds(dump);
    if (dump.is_symbolized) merger_.LearnNames(dump);
    merger_.Add({.profile = std::move(dump)});
    Profile& merged = merger_.profile();
    added.changes = stacks_.Update(merged.samples, options_.metric);
    if (added.has_threads)
      added.thread_changes =
          threads_.Update(merged.thread_samples, options_.metric);
    merged.samples.clear();
    merged.thread_samples.clear();
    merged.runs = {};
    merged.thread_stacks = {};
  }

  Snapshots Finish() && {
    Snapshots all = {.profile = std::move(merger_).Finish(),
                     .metric = options_.metric,
                     .dumps = std::move(dumps_)};
    all.profile.samples = stacks_.LargestValues(options_.metric);
    all.profile.thread_samples = threads_.LargestValues(options_.metric);
    return all;
  }

 private:
  CollectOptions options_;
  Merger merger_;
  ValueTable stacks_, threads_;
  std::vector<Snapshot> dumps_;
};

SnapshotCollector::SnapshotCollector(const CollectOptions& options)
    : impl_(std::make_unique<Impl>(options)) {}
SnapshotCollector::SnapshotCollector(SnapshotCollector&& other) noexcept =
    default;
SnapshotCollector& SnapshotCollector::operator=(
    SnapshotCollector&& other) noexcept = default;
SnapshotCollector::~SnapshotCollector() = default;

void SnapshotCollector::Add(Profile dump) { impl_->Add(std::move(dump)); }

Snapshots SnapshotCollector::Finish() && { return std::move(*impl_).Finish(); }

}  // namespace heapprof
