// SPDX-License-Identifier: Apache-2.0
//
// A thread that takes part in what its starter does.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <functional>

namespace heapprof {

class HelperThread {
 public:
  // Runs `work`, which must not throw. If the system has no more threads,
  // nothing runs.
  explicit HelperThread(std::function<void()> work);
  // Waits for its end.
  ~HelperThread();
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;

 private:
  static void* Run(void* helper);
  bool StartOnOtherProcessor();

  std::function<void()> work_;
  cpu_set_t processors_ = {};  // that it may run on
  pthread_t thread_ = {};
  bool is_started_ = false;
};

}  // namespace heapprof
