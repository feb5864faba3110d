// SPDX-License-Identifier: Apache-2.0
//
// The rows of a text report: what each function (line, file, ...) holds itself
// (flat) and together with its callees (cumulative), with totals, order and
// percentages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/sampled_objects.h"

namespace heapprof {

struct FlatRow {
  std::string name;
  Change flat;
  Change cumulative;
  double flat_percent = 0;
  double running_percent = 0;  // flat_percent, added up to this row
  double cumulative_percent = 0;
  LabelCode code = {};  // set only if LabelOptions::with_code is true
  // Set only if FlatOptions::counts_samples is true; none: unknown, or every
  // object is sampled.
  std::optional<SampleNumbers> flat_samples = {};
  std::optional<SampleNumbers> cumulative_samples = {};
  // The numbers of objects; set only if FlatOptions::counts_objects is true.
  Change flat_objects = {};
  Change cumulative_objects = {};
  // Set only if FlatOptions::judges_changes is true: whether the changes are
  // proven, judged together with those of all rows.
  bool is_flat_proven = false;
  bool is_cumulative_proven = false;
};

struct FlatTable {
  std::vector<FlatRow> rows;
  Change total;  // the sum of all stacks, before filters
  // The sum of the stacks that filters left, which counts as 100 %.
  Change shown;
};

struct FlatOptions {
  Metric metric = Metric::kInuseSpace;
  bool sort_by_cumulative = false;
  bool counts_samples = false;
  bool counts_objects = false;
  bool judges_changes = false;
  LabelOptions labels = {};
  // If set, these samples are used instead of Profile::samples, for example
  // those of one thread. `filtered_out` is then the sum that filters removed
  // from them.
  std::optional<std::span<const Sample>> samples = {};
  Sides<Values> filtered_out = {};
};

// Returns one row per label with a value other than zero. Rows with the largest
// absolute WholeChange(), then the largest absolute value, come first; rows
// with equal values are in byte order of their labels. A stack counts once for
// a label, even if the function recurses. If the sum of all stacks is 0, all
// percentages are 0.
FlatTable MakeFlatTable(const Profile& profile, const FlatOptions& options);

// Does the same with `labels`, which must have been made from `options.labels`.
FlatTable MakeFlatTable(const Profile& profile, const FrameLabels& labels,
                        const FlatOptions& options);

}  // namespace heapprof
