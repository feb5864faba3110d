// SPDX-License-Identifier: Apache-2.0
//
// Bounds the memory for the frames of many addresses: a debug file of a few
// kilobytes can say that each of 60 000 addresses is in a thousand inlined
// calls. Every engine and every reader of an index keeps its frames by this
// limit. What is left does not depend on the order in which the addresses come,
// nor on how they are divided into parts, so that all of them keep the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/base/inlined_calls.h"
#include "heapprof/dwarf/address_resolver.h"

namespace heapprof {

class FrameLimit {
 public:
  // `addresses` is the number of addresses of the whole lookup, also for the
  // frames of a part of them.
  explicit FrameLimit(size_t addresses) : allowed_(AllowedCalls(addresses)) {}

  // Adds a frame to the last run, whose frames are the last ones in `frames`.
  // Call this for the innermost frame first. If the run has as many frames as
  // it may have, the new frame replaces its last one, so that the function that
  // contains the code is always kept.
  void Add(const SourceFrame& frame, FrameRun& run,
           std::vector<SourceFrame>& frames) const {
    if (run.count >= most_) {
      frames.back() = frame;
      return;
    }
    if (run.count == 0) run.first = static_cast<uint32_t>(frames.size());
    ++run.count;
    frames.push_back(frame);
  }
  // True if there are more frames than all addresses may have. Then call
  // Lower() before more runs are added.
  bool IsExceeded(const std::vector<SourceFrame>& frames) const {
    return frames.size() > allowed_;
  }
  // Lowers how many frames a run may have until all of `runs` together have no
  // more than allowed, but not below kCallsPerAddress, and not to more than
  // `most` if that is not 0. `frames` then has only the frames of `runs`.
  void Lower(std::span<FrameRun> runs, std::vector<SourceFrame>& frames,
             uint32_t most = 0);
  // Returns how many frames a run may have; 0 if none has lost any.
  uint32_t most() const { return is_lowered() ? most_ : 0; }

 private:
  static constexpr uint32_t kMostOfAll = 1024;

  bool is_lowered() const { return most_ != kMostOfAll; }

  uint64_t allowed_;
  uint32_t most_ = kMostOfAll;  // halved as often as needed
};

}  // namespace heapprof
