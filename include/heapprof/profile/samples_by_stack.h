// SPDX-License-Identifier: Apache-2.0
//
// Finds the samples of a stack. Comparisons of many runs have several samples
// of most stacks, and what depends only on the frames need be computed once for
// all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

class SamplesByStack {
 public:
  // `samples` are those of all threads or those by thread of `profile`. Below,
  // samples are indices of this list.
  SamplesByStack(const Profile& profile, std::span<const Sample> samples);

  std::span<const uint32_t> Of(StackId stack) const {
    return Between(starts_[stack.index()], starts_[stack.index() + 1]);
  }

  // Calls `f` with the samples of each stack, in the order of StackIds. Samples
  // that are shown under different threads are in different calls.
  template <typename F>
  void ForEachStackAndThread(const F& f) const {
    uint32_t start = 0;
    for (const uint32_t end : ends_) {
      f(Between(start, end));
      start = end;
    }
  }

 private:
  std::span<const uint32_t> Between(uint32_t start, uint32_t end) const {
    return std::span(samples_).subspan(start, end - start);
  }

  std::vector<uint32_t> samples_;  // of one stack and thread after the other
  std::vector<uint32_t> starts_;   // by stack, and the end of the last one
  std::vector<uint32_t> ends_;     // of the samples of a stack and thread
};

}  // namespace heapprof
