// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/merged_stacks.h"

#include <algorithm>

#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/profile/stack_changes.h"
#include "view/reorder.h"
#include "view/sequence_order.h"

namespace heapprof {
namespace {

class StackMerger {
 public:
  StackMerger(const Profile& profile, const StackLabels& labels,
              std::span<const StackId> used)
      : profile_(profile), labels_(labels) {
    NumberLocations();
    merged_.row_of.assign(profile.stacks.size(), kNoRow);
    size_t frames = 0;
    for (const StackId stack : used)
      frames += profile.StackFrames(stack).size();
    merged_.labels.reserve(frames);
  }

  void Add(StackId stack) {
    std::vector<uint32_t>& all = merged_.labels;
    const std::span<const uint32_t> labels = NumbersOf(stack);
    std::vector<StackRow>& rows = merged_.rows;
    const uint32_t row =
        index_.FindOrAddIndex(HashOf(labels), rows.size(), [&](uint32_t known) {
          return std::ranges::equal(merged_.LabelsOf(rows[known]), labels);
        });
    if (row == rows.size()) {
      rows.push_back(
          {.first = all.size(), .count = static_cast<uint32_t>(labels.size())});
      all.insert(all.end(), labels.begin(), labels.end());
    }
    merged_.row_of[stack.index()] = row;
  }

  MergedStacks Take() && { return std::move(merged_); }

 private:
  static constexpr uint32_t kOther = UINT32_MAX;

  // There may be a thousand times as many frames as locations.
  void NumberLocations() {
    const FrameLabels& labels = labels_.labels;
    only_.assign(profile_.locations.size(), kOther);
    for (uint32_t i = 0; i < only_.size(); ++i) {
      const auto ids = labels.Of(LocationId{i});
      if (ids.size() == 1 && !labels.merges_adjacent())
        only_[i] = labels_.numbers[ids.front()];
    }
  }

  // Returns the numbers of the labels of a stack. They are valid until the next
  // call.
  std::span<const uint32_t> NumbersOf(StackId stack) {
    const auto frames = profile_.StackFrames(stack);
    const FrameLabels& labels = labels_.labels;
    stack_.clear();
    uint32_t last = UINT32_MAX;
    for (const LocationId frame : frames) {
      if (only_[frame.index()] != kOther) {
        stack_.push_back(only_[frame.index()]);
        continue;
      }
      for (const uint32_t label : labels.Of(frame)) {
        if (!labels.merges_adjacent() || label != last)
          stack_.push_back(labels_.numbers[label]);
        last = label;
      }
    }
    if (labels_.order == StackOrder::kRootFirst) std::ranges::reverse(stack_);
    return stack_;
  }

  // Two hashes side by side, of two labels at a time: one alone would wait for
  // its last multiplication most of the time.
  static uint64_t HashOf(std::span<const uint32_t> labels) {
    uint64_t first = labels.size();
    uint64_t second = 0;
    const auto pair_at = [labels](size_t i) {
      return uint64_t{labels[i]} << 32 | labels[i + 1];
    };
    size_t i = 0;
    for (; i + 4 <= labels.size(); i += 4) {
      first = AddToHash(first, pair_at(i));
      second = AddToHash(second, pair_at(i + 2));
    }
    for (; i < labels.size(); ++i) first = AddToHash(first, labels[i]);
    return AddToHash(first, second);
  }

  const Profile& profile_;
  const StackLabels& labels_;
  // By location: the number of its only label; kOther if it has none or
  // several, or labels must be compared with their neighbours.
  std::vector<uint32_t> only_;
  std::vector<uint32_t> stack_;
  MergedStacks merged_;
  IdTable index_;  // of the rows
};

}  // namespace

void MergedStacks::Sort() {
  std::vector<std::span<const uint32_t>> sequences;
  sequences.reserve(rows.size());
  for (const StackRow& row : rows) sequences.push_back(LabelsOf(row));
  const std::vector<uint32_t> places = Reorder(OrderOf(sequences), rows);
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
