// SPDX-License-Identifier: Apache-2.0
//
// Which frames of a comparison have changed. Many frames are judged at once,
// and the intervals of some of them exclude 0 by chance; see FindChanges().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/frame_tree.h"

namespace heapprof {

// How a frame has changed between the sides of a comparison.
enum class FrameChange : uint8_t {
  kNone,  // or it may be chance
  kGrown,
  kShrunk,
};

// Returns how a total has changed, whether or not by chance.
FrameChange DirectionOf(const Sides<int64_t>& total);

// How strictly changes are judged.
struct ChangeLevel {
  double tail = 0;  // as HasChanged() needs it
  // A normal variable exceeds its mean by so many standard deviations with the
  // probability `tail`.
  double deviations = 0;
  // As VariationOfSums::widening, but for this level.
  double widening_of_entries = 1;
  double widening_of_total = 1;
};

class FrameChanges {
 public:
  // `column` is the index of the column of `tree` that decides, that of
  // JudgingMetric(), and `errors` are those of its metric. All must outlive
  // this object.
  FrameChanges(const FrameTree& tree, size_t column, const ErrorBars& errors);

  // Returns nothing if every change counts, because there are no errors or
  // nobody knows them.
  std::optional<ChangeLevel> level() const { return level_; }

  // By joint of the tree, in the metric of the column; empty if the tree is no
  // comparison.
  const std::vector<FrameChange>& of_joints() const { return of_joints_; }

  // Judges the sum of frames, with the values of the column.
  FrameChange OfSum(const FrameValues& judged) const;

  // Returns the values of a node in the column.
  FrameValues ValuesOf(size_t node) const;

 private:
  const FrameTree& tree_;
  const FrameColumn& column_;
  const ErrorBars& errors_;
  std::optional<ChangeLevel> level_;
  std::vector<FrameChange> of_joints_;
};

}  // namespace heapprof
