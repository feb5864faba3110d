// SPDX-License-Identifier: Apache-2.0
//
// Independent pieces of work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

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
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < std::min<size_t>(jobs, count); ++i)
    threads.emplace_back(run);
  run();
}

}  // namespace heapprof
