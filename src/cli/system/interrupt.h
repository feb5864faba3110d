// SPDX-License-Identifier: Apache-2.0
//
// Lets a run that writes many outputs end between two of them when the user
// interrupts it.
#pragma once

#include <array>
#include <csignal>

namespace heapprof {

// As long as this object exists, the first SIGINT, SIGTERM or SIGHUP is only
// noted; a second one ends the process as usual. Signals that are ignored
// remain so. There can be one such object at a time.
class InterruptCatcher {
 public:
  InterruptCatcher();
  ~InterruptCatcher();
  InterruptCatcher(const InterruptCatcher&) = delete;
  InterruptCatcher& operator=(const InterruptCatcher&) = delete;

  // Returns the signal that has come; 0 if none.
  int signal() const;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

  std::array<struct sigaction, kSignals.size()> saved_ = {};
};

}  // namespace heapprof
