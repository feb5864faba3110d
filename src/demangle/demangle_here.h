// SPDX-License-Identifier: Apache-2.0
//
// Makes it possible to demangle in the calling thread if no other thread can be
// started. Provides a stack that is large enough, and a time limit for each
// name.
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <functional>

#include "demangle/demangle_name.h"

namespace heapprof {

// Runs `work` in this thread, but on a new stack of `size` bytes.
void RunOnOwnStack(size_t size, const std::function<void()>& work);

// Stops the demangler if a name takes more CPU time than `limit`. The name is
// then treated like one whose demangled form is too long. Use an object only in
// the thread that constructed it. Only one can exist at a time.
class NameTimeLimit {
 public:
  explicit NameTimeLimit(std::chrono::nanoseconds limit);
  ~NameTimeLimit();
  NameTimeLimit(const NameTimeLimit&) = delete;
  NameTimeLimit& operator=(const NameTimeLimit&) = delete;

  // Starts to time the next name. `sink` must live until the following
  // Restart() or Stop().
  void Restart(DemangleSink& sink);
  void Stop();
  // Returns how many names exceeded the limit.
  int exceeded() const;

 private:
  itimerspec limit_ = {};
  timer_t timer_ = {};
  struct sigaction saved_ = {};
};

}  // namespace heapprof
