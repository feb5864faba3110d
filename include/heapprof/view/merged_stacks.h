// SPDX-License-Identifier: Apache-2.0
//
// The stacks of a profile as sequences of label numbers. Stacks with the same
// labels are merged, and their values are added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/profile/profile.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

enum class StackOrder : uint8_t { kRootFirst, kLeafFirst };

struct StackRow {
  // Where its frames are in MergedStacks::labels or StackTable::frames.
  size_t first = 0;
  uint32_t count = 0;
  Sides<double> values = {};

  double change() const { return Difference(values.now, values.base); }
};

// Stands for the row of a stack that is in no row.
inline constexpr uint32_t kNoRow = UINT32_MAX;

struct MergedStacks {
  std::vector<uint32_t> labels;  // of one stack after the other
  std::vector<StackRow> rows;    // different ones
  std::vector<uint32_t> row_of;  // by StackId: its index in `rows`, or kNoRow

  std::span<const uint32_t> LabelsOf(const StackRow& row) const {
    return std::span(labels).subspan(row.first, row.count);
  }
  // Sorts the rows by their labels, lexicographically.
  void Sort();
};

// How to merge stacks. The label `id` of `labels` gets the number
// `numbers[id]`; labels with the same number count as equal.
struct StackLabels {
  const FrameLabels& labels;
  std::span<const uint32_t> numbers;
  StackOrder order = StackOrder::kRootFirst;
};

// Merges the stacks `used`. Rows are in order of their first stacks; their
// values are 0.
MergedStacks MergeStacks(const Profile& profile, std::span<const StackId> used,
                         const StackLabels& labels);

// Merges the stacks that have a value; in a comparison, on one side or both.
// Rows are in order of their first samples, and have the sums of their values.
MergedStacks MergeStacks(const Profile& profile, Metric metric,
                         const StackLabels& labels);

}  // namespace heapprof
