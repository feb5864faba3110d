// SPDX-License-Identifier: Apache-2.0
//
// On which processor a new thread begins to run.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <cstddef>
#include <optional>

namespace heapprof {

// Linux may put a new thread on the current processor, or several new threads
// on one, even if another processor is idle. (In a virtual machine, an idle
// processor can look as if the host had taken it away.) A thread would then
// wait for milliseconds, which may be longer than its work takes.
class StartProcessor {
 public:
  // Any processor but the current one. Returns nothing if there is no other.
  static std::optional<StartProcessor> AnyOther();
  // The processor `number` + 1 after the current one, for the thread `number`
  // of several that are started together. Begins again after the last one.
  static std::optional<StartProcessor> ForThread(size_t number);

  // Sets where a thread with these attributes begins to run.
  bool SetIn(pthread_attr_t& attributes) const;
  // Lets the current thread, which was started with these attributes, run on
  // all processors.
  void Release() const;
  // Lets `thread`, which was started with these attributes and will call
  // Release(), begin on the current processor if it has not begun yet. Call
  // this before waiting for the thread: its own processor may be busy for long.
  void BringHere(pthread_t thread) const;

 private:
  StartProcessor() = default;
  // Sets `all_` and returns the current processor.
  std::optional<int> FindCurrent();

  cpu_set_t all_ = {};  // on which the process may run
  cpu_set_t chosen_ = {};
};

}  // namespace heapprof
