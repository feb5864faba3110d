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
  explicit StackMerger(size_t stacks) { merged_.row_of.assign(stacks, kNoRow); }

  // Adds a stack with these labels.
  void Add(StackId stack, std::span<const uint32_t> labels) {
    merged_.row_of[stack.index()] = RowWith(labels);
  }

  MergedStacks Take() && { return std::move(merged_); }

 private:
  // Returns the row with these labels; adds it if there is none.
  uint32_t RowWith(std::span<const uint32_t> labels) {
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
    return number - 1;
  }

  static uint64_t HashOf(std::span<const uint32_t> labels) {
    uint64_t hash = labels.size();
    for (const uint32_t label : labels) hash = AddToHash(hash, label);
    return hash;
  }

  MergedStacks merged_;
  IdTable index_;  // each entry is the index of a stack plus one
};

}  // namespace

MergedStacks MergeStacks(const Profile& profile, std::span<const StackId> used,
                         const FrameLabels& labels,
                         std::span<const uint32_t> numbers) {
  StackMerger merger(profile.stacks.size());
  for (const StackId id : used) {
    auto stack = labels.OfStack(profile.StackFrames(id));
    for (uint32_t& label : stack) label = numbers[label];
    merger.Add(id, stack);
  }
  return std::move(merger).Take();
}

MergedStacks MergeStacks(const Profile& profile, Metric metric,
                         const FrameLabels& labels,
                         std::span<const uint32_t> numbers) {
  const auto changes = ChangesByStack(profile, profile.samples, metric);
  std::vector<StackId> used;
  used.reserve(changes.size());
  for (const StackChange& change : changes) used.push_back(change.stack);
  MergedStacks merged = MergeStacks(profile, used, labels, numbers);
  for (const StackChange& change : changes) {
    StackRow& row = merged.stacks[merged.row_of[change.stack.index()]];
    for (const Side side : kSides) row.values[side] += change.sides[side].value;
  }
  return merged;
}

}  // namespace heapprof
