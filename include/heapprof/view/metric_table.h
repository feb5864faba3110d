// SPDX-License-Identifier: Apache-2.0
//
// A table with all metrics of a profile, for reports in which the reader
// chooses one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct MetricCell {
  // Without a comparison, a negative value counts as one of the base side, as
  // in a FrameTree.
  Change change;
  // None without error bars, and below MetricTableOptions::least_share.
  std::optional<Interval> interval = {};
  // In a comparison: sampling does not explain the change. See
  // MarkChangedCells().
  bool has_changed = false;
};

struct MetricColumn {
  Metric metric = Metric::kInuseSpace;
  // By row: the stacks whose leaf is in the row, and all stacks of the row. A
  // stack counts once, even if the function recurses.
  std::vector<MetricCell> self = {};
  std::vector<MetricCell> total = {};
};

struct MetricRow {
  // In MetricTable::texts. Of lines, the name of the function: names of C++ are
  // long, and a function has many lines.
  StringId name = {};
  // Of lines, the file in `texts`, none if it is unknown. Nothing if the row is
  // no place, such as "[allocator only]".
  std::optional<StringId> file = {};
  LabelCode code = {};
};

struct MetricTable {
  StringTable texts = {};
  // Those with a value other than 0 in any column: largest absolute total of
  // the first column first, and equal ones in byte order of their names; of
  // lines with the same name, by file and line number.
  std::vector<MetricRow> rows = {};
  std::vector<MetricColumn> columns = {};  // by metric, as asked for

  // Returns the label of a row, as in a StackTable, but nothing is replaced.
  std::string NameOf(const MetricRow& row) const;
};

// Returns at most `most` indices of rows, those with the largest absolute total
// in `column` first. Rows with equal totals are in the order of the table.
std::vector<size_t> LargestRows(const MetricColumn& column, size_t most);

struct MetricTableOptions {
  std::vector<Metric> metrics = {Metric::kInuseSpace};
  Granularity granularity = Granularity::kFunctions;
  // Intervals take long to compute. Cells with less than this fraction of the
  // sum of all stacks have none.
  double least_share = 0.001;
};

// Sets MetricCell::has_changed of the cells of a comparison that have an
// interval. `errors` are those of the metric of the cells; for `level`, see
// HasChanged().
void MarkChangedCells(const ErrorBars& errors, double level,
                      std::vector<MetricCell>& cells);

MetricTable MakeMetricTable(const Profile& profile,
                            const MetricTableOptions& options);

}  // namespace heapprof
