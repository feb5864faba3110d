// SPDX-License-Identifier: Apache-2.0
//
// The stacks of a profile for viewers that know one positive weight per stack:
// a list of stacks for each metric and, if asked for, for each thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct WeightedFrame {
  std::string name;
  std::string file = {};  // path; empty: unknown, or not the same everywhere
  uint32_t line = 0;      // as LabelCode::line
};

struct WeightedStack {
  uint32_t stack = 0;  // index of WeightedStacks::stacks
  int64_t weight = 0;  // bytes or objects; above 0
};

// Which stacks a series has: those that hold or gained memory, or those that
// lost some. The weights of the latter are by how much.
enum class WeightSign : uint8_t { kPositive, kNegative };

struct StackSeries {
  Metric metric = Metric::kInuseSpace;
  ThreadId thread = {};  // none: all threads together
  WeightSign sign = WeightSign::kPositive;
  std::vector<WeightedStack> stacks = {};  // by index of the stack
  int64_t total = 0;                       // the sum of the weights
};

struct WeightedStacks {
  std::vector<WeightedFrame> frames = {};  // in byte order of the names
  std::vector<uint32_t> frame_ids = {};    // indices of `frames`
  // Different runs of `frame_ids`, root first, in lexicographic order. Stacks
  // with the same callers are therefore adjacent.
  std::vector<RowRange> stacks = {};
  // First all threads together, a series for each metric of the profile, even
  // if it is empty. Then the threads, sorted by uid and name, with those series
  // that are not empty. A series of decreases follows that of the increases,
  // unless it is empty.
  std::vector<StackSeries> series = {};
};

struct WeightedStacksOptions {
  Granularity granularity = Granularity::kFunctions;
  bool by_thread = false;  // also make a series for each thread
};

// Names are plain, as in a StackTable. Weights are rounded to integers so that
// each series adds up to the integer part of the exact sum.
WeightedStacks MakeWeightedStacks(const Profile& profile,
                                  const WeightedStacksOptions& options);

}  // namespace heapprof
