// SPDX-License-Identifier: Apache-2.0
//
// The rows of a text report: what each function (line, file, ...) holds itself
// (flat) and through what it calls (cumulative), with totals, order and
// percentages decided.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct FlatRow {
  std::string name;
  Estimate flat;
  Estimate cumulative;
  double flat_percent = 0;
  double running_percent = 0;  // sum of flat_percent down to this row
  double cumulative_percent = 0;
};

struct FlatTable {
  std::vector<FlatRow> rows;
  Estimate total;
  // Of the stacks that filters left, which is what percentages are of.
  Change shown;
};

struct FlatOptions {
  Metric metric = Metric::kInuseSpace;
  bool sort_by_cumulative = false;
  LabelOptions labels = {};
  // Instead of the profile's: those of one thread, for example, and what
  // filters took from them.
  std::optional<std::span<const Sample>> samples = {};
  Values filtered_out = {};
};

// One row per label with a value other than zero, largest absolute value
// first, ties in byte order of the labels; a label counts once per stack
// however often a function recurses. Percentages are 0 where they are of 0.
FlatTable MakeFlatTable(const Profile& profile, const FlatOptions& options);

}  // namespace heapprof
