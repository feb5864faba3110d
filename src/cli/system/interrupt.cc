// SPDX-License-Identifier: Apache-2.0
#include "cli/system/interrupt.h"

#include <signal.h>

#include <atomic>

namespace heapprof {
namespace {

std::atomic<int> noted_signal = 0;

void NoteSignal(int signal) { noted_signal = signal; }

}  // namespace

InterruptCatcher::InterruptCatcher() {
  noted_signal = 0;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &saved_[i]);
    if (saved_[i].sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = NoteSignal;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptCatcher::~InterruptCatcher() {
  for (size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &saved_[i], nullptr);
}

int InterruptCatcher::signal() const { return noted_signal; }

}  // namespace heapprof
