// SPDX-License-Identifier: Apache-2.0
//
// Runs independent tasks on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

#include "heapprof/base/helper_threads.h"

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
  const HelperThreads helpers(std::min<size_t>(jobs, count), run,
                              [&] { return next < count; });
  run();
}

// Like ForEach(), for calls that take less time than to hand them out: a thread
// takes `at_once` consecutive numbers, at least 1, at a time.
template <typename Work>
void ForEachInBlocks(size_t count, size_t at_once, unsigned jobs,
                     const Work& work) {
  ForEach((count + at_once - 1) / at_once, jobs, [&](size_t block) {
    const size_t end = std::min(count, (block + 1) * at_once);
    for (size_t i = block * at_once; i < end; ++i) work(i);
  });
}

// Like ForEach(). In addition, calls `take` with each number, in ascending
// order and only in the calling thread, once `work` is done with that number.
// If `take` returns false, starts no more work and returns false. There are at
// most `most_ahead` results, at least 1, of `work` that were not yet taken.
inline bool ForEachInTurn(size_t count, unsigned jobs,
                          const std::function<void(size_t)>& work,
                          const std::function<bool(size_t)>& take,
                          size_t most_ahead = SIZE_MAX) {
  std::atomic<size_t> next = 0;
  std::atomic<size_t> taken = 0;
  std::vector<std::atomic<bool>> is_done(count);
  const auto work_on = [&](size_t i) {
    work(i);
    is_done[i] = true;
    is_done[i].notify_one();
  };
  const HelperThreads helpers(
      std::min<size_t>(jobs, count),
      [&] {
        for (size_t i = next++; i < count; i = next++) {
          for (size_t n = taken; i - n >= most_ahead && n <= i; n = taken)
            taken.wait(n);
          work_on(i);
        }
      },
      [&] { return next < count; });
  for (size_t i = 0; i < count; ++i) {
    // The helpers wait for this thread, so it must not start what has to wait.
    while (!is_done[i]) {
      size_t own = next;
      if (own >= count || own - i >= most_ahead) break;
      if (next.compare_exchange_strong(own, own + 1)) work_on(own);
    }
    is_done[i].wait(false);
    const bool goes_on = take(i);
    if (!goes_on) next = count;
    taken = goes_on ? i + 1 : count;
    taken.notify_all();
    if (!goes_on) return false;
  }
  return true;
}

}  // namespace heapprof
