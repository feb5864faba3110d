// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/shared_variance.h"

#include <algorithm>
#include <utility>

#include "heapprof/profile/sampling_period.h"
#include "heapprof/stats/shared_seeds.h"

namespace heapprof {
namespace {

// The variance that one thread adds to the sum of one entry.
struct ThreadVariance {
  uint32_t entry = 0;
  double variance = 0;
};

// Adds up the variances of the samples of one thread after the other.
class ThreadSums {
 public:
  explicit ThreadSums(size_t count) : sums_(count), last_(count) {}

  void Add(const std::vector<uint32_t>& entries, double variance) {
    ++sample_number_;
    for (const uint32_t entry : entries) {
      if (std::exchange(last_[entry], sample_number_) == sample_number_)
        continue;
      if (sums_[entry] == 0) touched_.push_back(entry);
      sums_[entry] += variance;
    }
  }

  // Moves the sums of the thread to `to`.
  void FinishThread(std::vector<ThreadVariance>& to) {
    for (const uint32_t entry : touched_)
      to.push_back({entry, std::exchange(sums_[entry], 0)});
    touched_.clear();
  }

 private:
  std::vector<double> sums_;       // by entry
  std::vector<uint32_t> touched_;  // the entries with a sum
  std::vector<size_t> last_;       // by entry: the last sample that was added
  size_t sample_number_ = 0;
};

// Returns what each thread adds to the entries. `samples` are in the order of
// threads; `sums` is working data, and empty before and after.
std::vector<ThreadVariance> VariancesOfThreads(
    std::span<const Sample* const> samples, Metric metric,
    const EntriesOfSample& entries_of, ThreadSums& sums) {
  std::vector<ThreadVariance> variances;
  std::vector<uint32_t> entries;
  for (size_t i = 0; i < samples.size(); ++i) {
    entries.clear();
    entries_of(*samples[i], entries);
    sums.Add(entries, samples[i]->values[metric].variance);
    if (i + 1 == samples.size() || samples[i + 1]->thread != samples[i]->thread)
      sums.FinishThread(variances);
  }
  return variances;
}

// Calls `f` with the variances of each entry.
template <typename F>
void ForEachEntry(std::vector<ThreadVariance>& variances, const F& f) {
  std::ranges::stable_sort(variances, {}, &ThreadVariance::entry);
  for (auto first = variances.begin(); first != variances.end();) {
    const auto last = std::find_if(first, variances.end(), [&](const auto& of) {
      return of.entry != first->entry;
    });
    std::vector<double> of_entry;
    for (auto it = first; it != last; ++it) of_entry.push_back(it->variance);
    f(first->entry, std::move(of_entry));
    first = last;
  }
}

// Returns how many threads have samples in each run of a side.
std::vector<size_t> SampledThreads(const Profile& profile, Side side,
                                   std::span<const InputRun> runs) {
  std::vector<std::vector<bool>> is_sampled(
      runs.size(), std::vector<bool>(profile.threads.size()));
  for (const auto* samples :
       {&profile.thread_samples, &profile.filtered_thread_samples})
    for (const Sample& sample : *samples)
      if (sample.side == side && !sample.values.AllZero())
        is_sampled[RunOf(sample, runs.size())][sample.thread.index()] = true;
  std::vector<size_t> counts;
  for (size_t run = 0; run < runs.size(); ++run)
    counts.push_back(
        static_cast<size_t>(std::ranges::count(is_sampled[run], true)) +
        runs[run].dropped_threads);
  return counts;
}

// Returns how many threads of a run may share errors; 0 if it has none.
size_t MostWithOneSeed(size_t threads, const InputRun& run) {
  return SamplesEverything(run.sampling_period)
             ? 0
             : MostThreadsWithOneSeed(threads, run.thread_stacks);
}

}  // namespace

SharedSeeds::SharedSeeds(const Profile& profile) : profile_(profile) {
  for (const Side side : kSides) {
    const std::vector<InputRun> runs = RunsOf(profile, side);
    std::vector<size_t>& sharing = sharing_[side];
    // Most profiles have too few threads, which needs no look at the samples.
    const size_t most = profile.threads.size() - 1;
    for (const InputRun& run : runs)
      sharing.push_back(MostWithOneSeed(most + run.dropped_threads, run));
    if (std::ranges::all_of(sharing, [](size_t n) { return n == 0; })) continue;
    const std::vector<size_t> threads = SampledThreads(profile, side, runs);
    for (size_t run = 0; run < runs.size(); ++run)
      sharing[run] = MostWithOneSeed(threads[run], runs[run]);
    is_possible_[side] =
        std::ranges::any_of(sharing, [](size_t n) { return n > 0; });
  }
}

std::vector<SharedVariance> SharedSeeds::Of(
    std::span<const Sample> samples, Metric metric, size_t count,
    const EntriesOfSample& entries_of) const {
  if (!is_possible_.now && !is_possible_.base) return {};
  if (samples.empty() || samples.front().thread.IsNone())
    samples = profile_.thread_samples;
  std::vector<const Sample*> ordered;
  for (const Sample& sample : samples)
    if (is_possible_[sample.side] && sample.values[metric].variance > 0)
      ordered.push_back(&sample);
  const auto run_of = [this](const Sample* sample) {
    const size_t runs = sharing_[sample->side].size();
    return std::pair(sample->side, RunOf(*sample, runs));
  };
  std::ranges::stable_sort(ordered, {}, [&](const Sample* sample) {
    return std::pair(run_of(sample), sample->thread);
  });
  std::vector<SharedVariance> shared;
  ThreadSums sums(count);
  for (auto first = ordered.begin(); first != ordered.end();) {
    const auto key = run_of(*first);
    const auto last = std::find_if(
        first, ordered.end(),
        [&](const Sample* sample) { return run_of(sample) != key; });
    std::vector<ThreadVariance> of_threads =
        VariancesOfThreads({first, last}, metric, entries_of, sums);
    const size_t sharing = sharing_[key.first][key.second];
    ForEachEntry(of_threads, [&](uint32_t entry,
                                 std::vector<double> variances) {
      const double variance = SharedSeedVariance(std::move(variances), sharing);
      if (variance > 0)
        shared.push_back({.entry = entry,
                          .side = key.first,
                          .run = static_cast<uint16_t>(key.second),
                          .variance = variance});
    });
    first = last;
  }
  return shared;
}

}  // namespace heapprof
