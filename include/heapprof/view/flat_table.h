// SPDX-License-Identifier: Apache-2.0
//
// The rows of a text report: what each function (line, file, ...) holds itself
// (flat) and together with its callees (cumulative), with totals, order and
// percentages.
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
  Change flat;
  Change cumulative;
  double flat_percent = 0;
  double running_percent =
      0;  // sum of flat_percent up to and including this row
  double cumulative_percent = 0;
  LabelCode code = {};  // if the labels have it
};

struct FlatTable {
  std::vector<FlatRow> rows;
  Estimate total;
  // The sum of the stacks that filters left; the base of all percentages.
  Change shown;
};

struct FlatOptions {
  Metric metric = Metric::kInuseSpace;
  bool sort_by_cumulative = false;
  LabelOptions labels = {};
  // If set, used instead of the profile's samples, for example those of one
  // thread. `filtered_out` then has the values that filters removed from them.
  std::optional<std::span<const Sample>> samples = {};
  Values filtered_out = {};
};

// One row per label with a value other than zero, largest absolute value first,
// ties in byte order of the labels. A label counts once per stack, however
// often a function recurses. Percentages of 0 are 0.
FlatTable MakeFlatTable(const Profile& profile, const FlatOptions& options);

// The same with labels that were made from `options.labels`.
FlatTable MakeFlatTable(const Profile& profile, const FrameLabels& labels,
                        const FlatOptions& options);

}  // namespace heapprof
