// SPDX-License-Identifier: Apache-2.0
//
// Demangling on the calling thread, where the system has no other: with a stack
// as large as it takes, and a limit on the time of each name.
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <functional>

#include "demangle/demangle_name.h"

namespace heapprof {

// Runs `work` on a stack of `size` bytes.
void RunOnOwnStack(size_t size, const std::function<void()>& work);

// Leaves the demangler where a name takes more CPU time than `limit`, as if
// the name were too long. For the thread that makes it; one at a time.
class NameTimeLimit {
 public:
  explicit NameTimeLimit(std::chrono::nanoseconds limit);
  ~NameTimeLimit();
  NameTimeLimit(const NameTimeLimit&) = delete;
  NameTimeLimit& operator=(const NameTimeLimit&) = delete;

  // The next name begins. `sink` must live until the one behind it, or Stop().
  void Restart(DemangleSink& sink);
  void Stop();
  // How many names took longer.
  int exceeded() const;

 private:
  itimerspec limit_ = {};
  timer_t timer_ = {};
  struct sigaction saved_ = {};
};

}  // namespace heapprof
