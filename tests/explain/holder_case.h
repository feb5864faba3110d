// SPDX-License-Identifier: Apache-2.0
//
// A process of which half the regions for objects of 128 bytes are free, 39
// MiB, and what is known of its stacks, for the tests of this module.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explain/example.h"
#include "heapprof/explain/slab_holders.h"

namespace heapprof {

inline WaterfallInputs MuchFreeInputs() {
  WaterfallInputs inputs = ExampleInputs();
  SmallClass& small = inputs.stats.total->small->front();
  small.regions *= 100;
  small.slabs *= 100;
  return inputs;
}

// The same with a tenth of the slabs.
inline WaterfallInputs GrowingBase() {
  WaterfallInputs inputs = MuchFreeInputs();
  SmallClass& small = inputs.stats.total->small->front();
  small.regions /= 10;
  small.slabs /= 10;
  return inputs;
}

struct HolderCase {
  WaterfallInputs inputs = MuchFreeInputs();
  std::optional<WaterfallInputs> base = {};
  SampledObjectSizes now = {.stacks = {{StackId{1}, 128, 32}},
                            .sampling_period = 1 << 17};
  SampledObjectSizes base_sizes = {.sampling_period = 1 << 17};
  std::optional<std::vector<RecentAllocation>> log = {};
};

struct LogShape {
  size_t objects = 0;  // of stacks 1 to `stacks` in turn
  size_t freed = 0;    // every second one, from the first on
  uint32_t stacks = 1;
};

inline std::vector<RecentAllocation> LogWith(const LogShape& shape) {
  std::vector<RecentAllocation> log;
  for (size_t i = 0; i < shape.objects; ++i)
    log.push_back(
        {.stack = StackId{static_cast<uint32_t>(1 + i / 2 % shape.stacks)},
         .size = 128,
         .allocated = i,
         .freed = i % 2 == 0 && i / 2 < shape.freed
                      ? shape.objects + i
                      : RecentAllocation::kNever});
  return log;
}

// Stack 1 is "f1 < main", as is stack 11.
inline std::vector<std::string> NamesOf(StackId stack) {
  return {"f" + std::to_string(stack.value % 10), "main"};
}

inline Waterfall Explained(const HolderCase& example) {
  auto waterfall = example.base
                       ? CompareWaterfalls(*example.base, example.inputs)
                       : MakeWaterfall(example.inputs);
  EXPECT_TRUE(waterfall);
  const HolderSide now = {example.now, NamesOf};
  const HolderSide base = {example.base_sizes, NamesOf};
  HolderLog log = {.names = NamesOf};
  if (example.log) log.allocations = *example.log;
  AddHolders(now, example.base ? &base : nullptr, example.log ? &log : nullptr,
             *waterfall);
  return *std::move(waterfall);
}

}  // namespace heapprof
