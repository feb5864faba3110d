// SPDX-License-Identifier: Apache-2.0
#include "demangle/demangle_here.h"

#include <sys/mman.h>
#include <unistd.h>

#include <ucontext.h>

#include "heapprof/base/out_of_memory.h"

namespace heapprof {
namespace {

constexpr int kSignal = SIGVTALRM;

thread_local const std::function<void()>* current_work = nullptr;
thread_local DemangleSink* volatile current_sink = nullptr;
thread_local volatile std::sig_atomic_t exceeded_count = 0;

void RunCurrentWork() { (*current_work)(); }

// Handles the signal of the timer by jumping out of the demangler. The kernel
// sends the signal to the thread whose time is up.
void OnTimeIsUp(int /*signal*/) {
  DemangleSink* sink = current_sink;
  if (sink == nullptr || !sink->may_jump_out) return;
  sink->is_full = true;
  exceeded_count = exceeded_count + 1;
  std::longjmp(sink->overflow, 1);
}

}  // namespace

void RunOnOwnStack(size_t size, const std::function<void()>& work) {
  void* stack =
      mmap(nullptr, size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) FailAllocation();
  ucontext_t here;
  ucontext_t there;
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = size;
  there.uc_link = &here;
  current_work = &work;
  makecontext(&there, RunCurrentWork, 0);
  swapcontext(&here, &there);
  current_work = nullptr;
  munmap(stack, size);
}

NameTimeLimit::NameTimeLimit(std::chrono::nanoseconds limit) {
  limit_.it_value.tv_nsec = static_cast<long>(limit.count());
  exceeded_count = 0;
  struct sigaction action = {};
  action.sa_handler = OnTimeIsUp;
  // SA_NODEFER, because the handler jumps out instead of returning. Without
  // this flag, the signal would stay blocked after the jump.
  action.sa_flags = SA_NODEFER | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(kSignal, &action, &saved_);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = kSignal;
  event._sigev_un._tid = gettid();
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) != 0)
    FailAllocation();
}

NameTimeLimit::~NameTimeLimit() {
  timer_delete(timer_);
  current_sink = nullptr;
  sigaction(kSignal, &saved_, nullptr);
}

void NameTimeLimit::Restart(DemangleSink& sink) {
  current_sink = &sink;
  timer_settime(timer_, 0, &limit_, nullptr);
}

void NameTimeLimit::Stop() { current_sink = nullptr; }

int NameTimeLimit::exceeded() const { return exceeded_count; }

}  // namespace heapprof
