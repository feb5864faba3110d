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
  // Notes that a thread was sampled, by values that filters removed. These
  // values do not add to its variance.
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
