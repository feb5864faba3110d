// SPDX-License-Identifier: Apache-2.0
#include "heapprof/dwarf/frame_limit.h"

#include <algorithm>

namespace heapprof {
namespace {

uint64_t CountFrames(std::span<const FrameRun> runs, uint32_t most) {
  uint64_t frames = 0;
  for (const FrameRun& run : runs) frames += std::min(run.count, most);
  return frames;
}

// Returns the runs that have frames, in the order of their frames.
std::vector<FrameRun*> InOrder(std::span<FrameRun> runs) {
  std::vector<FrameRun*> ordered;
  for (FrameRun& run : runs)
    if (run.count != 0) ordered.push_back(&run);
  std::ranges::sort(ordered, {}, &FrameRun::first);
  return ordered;
}

}  // namespace

void FrameLimit::Lower(std::span<FrameRun> runs,
                       std::vector<SourceFrame>& frames, uint32_t most) {
  if (most != 0) most_ = std::min(most_, most);
  while (most_ > kCallsPerAddress && CountFrames(runs, most_) > allowed_)
    most_ /= 2;
  uint32_t end = 0;
  for (FrameRun* run : InOrder(runs)) {
    const SourceFrame outermost = frames[run->first + run->count - 1];
    const uint32_t count = std::min(run->count, most_);
    std::copy_n(frames.begin() + run->first, count, frames.begin() + end);
    *run = {.first = end, .count = count};
    end += count;
    frames[end - 1] = outermost;
  }
  frames.resize(end);
}

}  // namespace heapprof
