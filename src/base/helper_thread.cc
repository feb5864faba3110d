// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/helper_thread.h"

#include <utility>

namespace heapprof {

HelperThread::HelperThread(std::function<void()> work)
    : work_(std::move(work)),
      is_started_(StartOnOtherProcessor() ||
                  pthread_create(&thread_, nullptr, Run, this) == 0) {}

HelperThread::~HelperThread() {
  if (!is_started_) return;
  if (processor_) processor_->BringHere(thread_);
  pthread_join(thread_, nullptr);
}

void* HelperThread::Run(void* helper) {
  auto& self = *static_cast<HelperThread*>(helper);
  self.work_();
  return nullptr;
}

bool HelperThread::StartOnOtherProcessor() {
  processor_ = StartProcessor::AnyOther();
  pthread_attr_t attributes;
  if (!processor_ || pthread_attr_init(&attributes) != 0) return false;
  const bool is_started =
      processor_->SetIn(attributes) &&
      pthread_create(
          &thread_, &attributes,
          [](void* helper) {
            static_cast<HelperThread*>(helper)->processor_->Release();
            return Run(helper);
          },
          this) == 0;
  pthread_attr_destroy(&attributes);
  return is_started;
}

}  // namespace heapprof
