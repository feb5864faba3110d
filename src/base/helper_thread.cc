// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/helper_thread.h"

#include <utility>

namespace heapprof {

HelperThread::HelperThread(std::function<void()> work)
    : work_(std::move(work)),
      is_started_(StartOnOtherProcessor() ||
                  pthread_create(&thread_, nullptr, Run, this) == 0) {}

HelperThread::~HelperThread() {
  if (is_started_) pthread_join(thread_, nullptr);
}

void* HelperThread::Run(void* helper) {
  auto& self = *static_cast<HelperThread*>(helper);
  self.work_();
  return nullptr;
}

// Starts the thread on any processor but the current one. Once started, the
// thread may run on all processors. Without this restriction, Linux may put the
// new thread on the current processor even if another one is idle. (In a
// virtual machine, an idle processor can look as if the host had taken it
// away.) The new thread would then wait for milliseconds, which is longer than
// its work takes.
bool HelperThread::StartOnOtherProcessor() {
  if (sched_getaffinity(0, sizeof(processors_), &processors_) != 0)
    return false;
  cpu_set_t others = processors_;
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE) return false;
  CPU_CLR(here, &others);
  if (CPU_COUNT(&others) == 0) return false;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  const bool is_started =
      pthread_attr_setaffinity_np(&attributes, sizeof(others), &others) == 0 &&
      pthread_create(
          &thread_, &attributes,
          [](void* helper) {
            auto& self = *static_cast<HelperThread*>(helper);
            sched_setaffinity(0, sizeof(self.processors_), &self.processors_);
            return Run(helper);
          },
          this) == 0;
  pthread_attr_destroy(&attributes);
  return is_started;
}

}  // namespace heapprof
