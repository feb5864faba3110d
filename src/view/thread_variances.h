// SPDX-License-Identifier: Apache-2.0
//
// The variances of the values of a process's threads.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/shared_seeds.h"

namespace heapprof {

class ThreadVariances {
 public:
  explicit ThreadVariances(size_t threads) : threads_(threads) {}

  void Add(ThreadId thread, const Values& values, Metric metric) {
    threads_[thread.index()].variance += values[metric].variance;
    AddFiltered(thread, values);
  }
  // For values that filters removed: only that the thread was sampled counts.
  void AddFiltered(ThreadId thread, const Values& values) {
    if (!values.AllZero()) threads_[thread.index()].is_sampled = true;
  }

  // The variance that threads with the same seed add to the sum of all threads;
  // `stacks` as in SharedSeedVariance().
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

}  // namespace heapprof
