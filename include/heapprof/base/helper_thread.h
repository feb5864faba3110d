// SPDX-License-Identifier: Apache-2.0
//
// A thread that shares the work of the thread that starts it.
#pragma once

#include <pthread.h>

#include <functional>
#include <optional>

#include "heapprof/base/start_processor.h"

namespace heapprof {

class HelperThread {
 public:
  // Runs `work`, which must not throw, in a new thread. If the system cannot
  // start a thread, `work` never runs, so the caller must be able to do the
  // work alone.
  explicit HelperThread(std::function<void()> work);
  // Waits until the thread ends. If it has not begun, it begins on the current
  // processor.
  ~HelperThread();
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;

 private:
  static void* Run(void* helper);
  bool StartOnOtherProcessor();

  std::function<void()> work_;
  std::optional<StartProcessor> processor_;
  pthread_t thread_ = {};
  bool is_started_ = false;
};

}  // namespace heapprof
