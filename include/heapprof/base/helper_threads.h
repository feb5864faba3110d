// SPDX-License-Identifier: Apache-2.0
//
// Several threads that share the work of the thread that starts them.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

#include "heapprof/base/helper_thread.h"

namespace heapprof {

class HelperThreads {
 public:
  // Runs `work` in up to `count` - 1 threads, each a HelperThread; the calling
  // thread is to be one more. Threads start each other, because starting one
  // takes longer than many a piece of work. None starts once `is_needed`
  // returns false. The destructor waits for all.
  HelperThreads(size_t count, std::function<void()> work,
                std::function<bool()> is_needed)
      : work_(std::move(work)), is_needed_(std::move(is_needed)) {
    while (count > 1 && is_needed_()) {
      const size_t half = count / 2;
      threads_.emplace_back([this, half] {
        const HelperThreads more(half, work_, is_needed_);
        work_();
      });
      count -= half;
    }
  }
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;

 private:
  const std::function<void()> work_;
  const std::function<bool()> is_needed_;
  std::deque<HelperThread> threads_;
};

}  // namespace heapprof
