// SPDX-License-Identifier: Apache-2.0
//
// Independent pieces of work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "heapprof/base/helper_thread.h"

namespace heapprof {

// Calls `work` with each of 0 to count - 1, on up to `jobs` threads, and waits
// for all. Each call has a slot of its own for its result, so that the order
// in which threads finish does not matter.
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

// The same; besides, the calling thread calls `take` with each number in turn
// as soon as the work on it is done. That ends it all where it says false,
// which is returned then. Results wait for their turn, so there must be room
// for all.
inline bool ForEachInTurn(size_t count, unsigned jobs,
                          const std::function<void(size_t)>& work,
                          const std::function<bool(size_t)>& take) {
  std::atomic<size_t> next = 0;
  std::vector<std::atomic<bool>> is_done(count);
  // False if there is nothing left to do.
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
