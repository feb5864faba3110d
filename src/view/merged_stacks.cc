// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/merged_stacks.h"

#include <algorithm>

#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/profile/stack_changes.h"

namespace heapprof {
namespace {

class StackMerger {
 public:
  // Returns the merged stack with these labels; adds it if there is none.
  StackRow& StackWith(std::span<const uint32_t> labels) {
    const uint64_t hash = HashOf(labels);
    uint32_t number = index_.Find(hash, [&](uint32_t known) {
      return std::ranges::equal(merged_.LabelsOf(merged_.stacks[known - 1]),
                                labels);
    });
    if (number == 0) {
      merged_.stacks.push_back({.first = merged_.labels.size(),
                                .count = static_cast<uint32_t>(labels.size())});
      merged_.labels.insert(merged_.labels.end(), labels.begin(), labels.end());
      number = static_cast<uint32_t>(merged_.stacks.size());
      index_.Add(hash, number);
    }
    return merged_.stacks[number - 1];
  }

  MergedStacks Take() && { return std::move(merged_); }

 private:
  static uint64_t HashOf(std::span<const uint32_t> labels) {
    uint64_t hash = labels.size();
    for (const uint32_t label : labels) hash = AddToHash(hash, label);
    return hash;
  }

  MergedStacks merged_;
  IdTable index_;  // each entry is the index of a stack plus one
};

}  // namespace

MergedStacks MergeStacks(const Profile& profile, Metric metric,
                         const FrameLabels& labels,
                         std::span<const uint32_t> numbers) {
  StackMerger merger;
  for (const StackChange& change :
       ChangesByStack(profile, profile.samples, metric)) {
    auto stack = labels.OfStack(profile.StackFrames(change.stack));
    for (uint32_t& label : stack) label = numbers[label];
    StackRow& merged = merger.StackWith(stack);
    for (const Side side : kSides)
      merged.values[side] += change.sides[side].value;
  }
  return std::move(merger).Take();
}

}  // namespace heapprof
