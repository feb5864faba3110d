// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/merged_stacks.h"

#include <algorithm>

#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/profile/stack_changes.h"
#include "view/sequence_order.h"

namespace heapprof {
namespace {

class StackMerger {
 public:
  StackMerger(const Profile& profile, const StackLabels& labels,
              std::span<const StackId> used)
      : profile_(profile), labels_(labels) {
    merged_.row_of.assign(profile.stacks.size(), kNoRow);
    size_t frames = 0;
    for (const StackId stack : used)
      frames += profile.StackFrames(stack).size();
    merged_.labels.reserve(frames);
  }

  void Add(StackId stack) {
    std::vector<uint32_t>& all = merged_.labels;
    const StackRow row = {.first = all.size()};
    labels_.labels.AppendStack(profile_.StackFrames(stack), labels_.order,
                               labels_.numbers, all);
    const auto added = std::span(all).subspan(row.first);
    const uint64_t hash = HashOf(added);
    uint32_t number = index_.Find(hash, [&](uint32_t known) {
      return std::ranges::equal(merged_.LabelsOf(merged_.rows[known - 1]),
                                added);
    });
    if (number == 0) {
      merged_.rows.push_back(row);
      merged_.rows.back().count = static_cast<uint32_t>(added.size());
      number = static_cast<uint32_t>(merged_.rows.size());
      index_.Add(hash, number);
    } else {
      all.resize(row.first);
    }
    merged_.row_of[stack.index()] = number - 1;
  }

  MergedStacks Take() && { return std::move(merged_); }

 private:
  static uint64_t HashOf(std::span<const uint32_t> labels) {
    uint64_t hash = labels.size();
    for (const uint32_t label : labels) hash = AddToHash(hash, label);
    return hash;
  }

  const Profile& profile_;
  const StackLabels& labels_;
  MergedStacks merged_;
  IdTable index_;  // each entry is the index of a row plus one
};

}  // namespace

void MergedStacks::Sort() {
  std::vector<std::span<const uint32_t>> sequences;
  sequences.reserve(rows.size());
  for (const StackRow& row : rows) sequences.push_back(LabelsOf(row));
  const std::vector<uint32_t> order = OrderOf(sequences);
  std::vector<StackRow> sorted;
  sorted.reserve(rows.size());
  std::vector<uint32_t> places(rows.size());
  for (const uint32_t row : order) {
    places[row] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(rows[row]);
  }
  rows = std::move(sorted);
  for (uint32_t& row : row_of)
    if (row != kNoRow) row = places[row];
}

MergedStacks MergeStacks(const Profile& profile, std::span<const StackId> used,
                         const StackLabels& labels) {
  StackMerger merger(profile, labels, used);
  for (const StackId id : used) merger.Add(id);
  return std::move(merger).Take();
}

MergedStacks MergeStacks(const Profile& profile, Metric metric,
                         const StackLabels& labels) {
  const auto changes = ChangesByStack(profile, profile.samples, metric);
  std::vector<StackId> used;
  used.reserve(changes.size());
  for (const StackChange& change : changes) used.push_back(change.stack);
  MergedStacks merged = MergeStacks(profile, used, labels);
  for (const StackChange& change : changes) {
    StackRow& row = merged.rows[merged.row_of[change.stack.index()]];
    for (const Side side : kSides) row.values[side] += change.sides[side].value;
  }
  return merged;
}

}  // namespace heapprof
