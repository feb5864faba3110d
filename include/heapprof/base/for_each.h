// SPDX-License-Identifier: Apache-2.0
//
// Runs independent tasks on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "heapprof/base/helper_thread.h"

namespace heapprof {

// Calls `work` with each number from 0 to count - 1, on up to `jobs` threads,
// and waits for all calls. Each call should write its result to a place of its
// own, because calls may run at the same time and finish in any order.
inline void ForEach(size_t count, unsigned jobs,
                    const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  std::deque<HelperThread> helpers;
  for (size_t i = 1; i < std::min<size_t>(jobs, count); ++i)
    helpers.emplace_back(run);
  run();
}

// Like ForEach(). In addition, calls `take` with each number, in ascending
// order and only in the calling thread, once `work` is done with that number.
// If `take` returns false, starts no more work and returns false. `work` may be
// far ahead of `take`, so there must be memory for all results at once.
inline bool ForEachInTurn(size_t count, unsigned jobs,
                          const std::function<void(size_t)>& work,
                          const std::function<bool(size_t)>& take) {
  std::atomic<size_t> next = 0;
  std::vector<std::atomic<bool>> is_done(count);
  // Does the next piece of work. Returns false if none is left.
  const auto work_on = [&] {
    const size_t i = next++;
    if (i >= count) return false;
    work(i);
    is_done[i] = true;
    is_done[i].notify_one();
    return true;
  };
  std::deque<HelperThread> helpers;
  for (size_t i = 1; i < std::min<size_t>(jobs, count); ++i)
    helpers.emplace_back([&] {
      while (work_on()) {
      }
    });
  for (size_t i = 0; i < count; ++i) {
    while (!is_done[i] && work_on()) {
    }
    is_done[i].wait(false);
    if (take(i)) continue;
    next = count;
    return false;
  }
  return true;
}

}  // namespace heapprof
