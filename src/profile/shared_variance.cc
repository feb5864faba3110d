// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/shared_variance.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "heapprof/stats/shared_seeds.h"

namespace heapprof {
namespace {

// The variances of the threads of one run, by ThreadId.
class ThreadVariances {
 public:
  explicit ThreadVariances(size_t threads) : threads_(threads) {}

  void Add(const Sample& sample, Metric metric) {
    threads_[sample.thread.index()].variance += sample.values[metric].variance;
    AddFiltered(sample);
  }
  // Filtered samples add nothing to the variance of the thread, but
  // SharedSeedVariance() depends on the number of threads that have samples.
  void AddFiltered(const Sample& sample) {
    if (!sample.values.AllZero())
      threads_[sample.thread.index()].is_sampled = true;
  }

  double Shared(size_t stacks) const {
    std::vector<double> variances;
    for (const auto& [variance, is_sampled] : threads_)
      if (is_sampled) variances.push_back(variance);
    return SharedSeedVariance(std::move(variances), stacks);
  }

 private:
  struct ThreadVariance {
    double variance = 0;
    bool is_sampled = false;
  };
  std::vector<ThreadVariance> threads_;
};

}  // namespace

std::array<std::vector<double>, 2> SharedVariances(const Profile& profile,
                                                   Metric metric) {
  std::array<std::vector<InputRun>, 2> runs;
  std::array<std::vector<ThreadVariances>, 2> threads;
  for (const Side side : kSides) {
    const size_t i = IndexOf(side);
    runs[i] = RunsOf(profile, side);
    threads[i].assign(runs[i].size(), ThreadVariances(profile.threads.size()));
  }
  const auto of = [&](const Sample& sample) -> ThreadVariances& {
    std::vector<ThreadVariances>& of_side = threads[IndexOf(sample.side)];
    return of_side[std::min<size_t>(sample.run, of_side.size() - 1)];
  };
  for (const Sample& sample : profile.thread_samples)
    of(sample).Add(sample, metric);
  for (const Sample& sample : profile.filtered_thread_samples)
    of(sample).AddFiltered(sample);
  std::array<std::vector<double>, 2> shared;
  for (size_t side = 0; side < shared.size(); ++side)
    for (size_t run = 0; run < runs[side].size(); ++run)
      shared[side].push_back(
          threads[side][run].Shared(runs[side][run].thread_stacks));
  return shared;
}

}  // namespace heapprof
