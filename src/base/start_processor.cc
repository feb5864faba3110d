// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/start_processor.h"

#include <vector>

namespace heapprof {

std::optional<StartProcessor> StartProcessor::AnyOther() {
  StartProcessor other;
  const std::optional<int> here = other.FindCurrent();
  if (!here) return std::nullopt;
  other.chosen_ = other.all_;
  CPU_CLR(*here, &other.chosen_);
  if (CPU_COUNT(&other.chosen_) == 0) return std::nullopt;
  return other;
}

std::optional<StartProcessor> StartProcessor::ForThread(size_t number) {
  StartProcessor one;
  const std::optional<int> here = one.FindCurrent();
  if (!here) return std::nullopt;
  std::vector<int> from_next;  // the current one is the last
  for (int i = 1; i <= CPU_SETSIZE; ++i)
    if (const int processor = (*here + i) % CPU_SETSIZE;
        CPU_ISSET(processor, &one.all_))
      from_next.push_back(processor);
  if (from_next.empty()) return std::nullopt;
  CPU_SET(from_next[number % from_next.size()], &one.chosen_);
  return one;
}

std::optional<int> StartProcessor::FindCurrent() {
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE ||
      sched_getaffinity(0, sizeof(all_), &all_) != 0)
    return std::nullopt;
  return here;
}

bool StartProcessor::SetIn(pthread_attr_t& attributes) const {
  return pthread_attr_setaffinity_np(&attributes, sizeof(chosen_), &chosen_) ==
         0;
}

void StartProcessor::Release() const {
  sched_setaffinity(0, sizeof(all_), &all_);
}

void StartProcessor::BringHere(pthread_t thread) const {
  cpu_set_t set;
  if (pthread_getaffinity_np(thread, sizeof(set), &set) != 0 ||
      !CPU_EQUAL(&set, &chosen_))
    return;
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE) return;
  CPU_ZERO(&set);
  CPU_SET(here, &set);
  // The second call does not move it again, but it may have begun, and called
  // Release(), before the first one.
  pthread_setaffinity_np(thread, sizeof(set), &set);
  pthread_setaffinity_np(thread, sizeof(all_), &all_);
}

}  // namespace heapprof
