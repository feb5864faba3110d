// SPDX-License-Identifier: Apache-2.0
//
// Adds up the variances of each thread of a process. From them, computes how
// much threads with the same random seed add to the variance of the total.
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
  // Adds values that filters removed. They add nothing to the variance of the
  // thread, but SharedSeedVariance() depends on the number of threads that have
  // samples.
  void AddFiltered(ThreadId thread, const Values& values) {
    if (!values.AllZero()) threads_[thread.index()].is_sampled = true;
  }

  // Returns the variance that threads with the same random seed add to the sum
  // of all threads. `stacks` is the number of thread stacks in the process; see
  // SharedSeedVariance().
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
