// SPDX-License-Identifier: Apache-2.0
//
// The first screen: how much memory is held, by which functions of the user's
// own code, and which functions allocated it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/stats/interval.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/metric_table.h"
#include "heapprof/view/story.h"

namespace heapprof {

struct OverviewRow {
  std::string name = {};
  // What the function holds. Has an interval only in a comparison.
  MetricCell cell = {};
  // In a comparison: see ComparisonEntry::has_changed.
  bool has_changed = false;
  double percent = 0;  // the value of `cell` in percent of Overview::shown
  double cumulative_percent = 0;  // the same, but including all callees
  // The number of objects in the value; 0 in a comparison and if it is unknown.
  double objects = 0;

  double value() const { return Difference(cell.change); }
};

// Returns the mean size of the objects, in bytes; none if it is unknown.
std::optional<double> MeanObjectSize(const OverviewRow& row);

// The functions with a value other than 0, largest absolute value first. In a
// comparison, those that are not proven to have changed come last.
struct OverviewTable {
  std::vector<OverviewRow> rows = {};
  // The sum of stacks that are charged to no row. Its name is kOutsideOwnCode.
  OverviewRow unassigned = {};
};

// Returns the sum of the rows from index `first` on. It has no name.
OverviewRow SumOfRows(const OverviewTable& table, size_t first);

// Returns how many rows have changed: the first ones of a comparison.
size_t CountChanged(const OverviewTable& table);

// True if MeanObjectSize() of some row is known.
bool KnowsObjectSizes(const OverviewTable& table);

struct Overview {
  std::string program = {};  // path; empty if unknown
  // When the dump was written, since 1970; 0 if unknown.
  int64_t time_seconds = 0;
  uint64_t sampling_period = 0;  // bytes; 0 = unknown
  Metric metric = Metric::kInuseSpace;
  double total = 0;
  // The confidence interval of the total; none if it is unknown or if the total
  // is exact.
  std::optional<Interval> interval = {};
  bool is_exact = false;  // see ErrorBars::is_exact()
  double shown = 0;       // the part of the total that filters left
  // The number of objects, if known and if the metric is in bytes.
  std::optional<double> objects = {};
  // Who holds the largest parts; see story.h. Empty if own code was not looked
  // for.
  std::vector<StoryChain> story = {};
  // Each stack is charged to the frame of the user's own code that is nearest
  // the leaf. Thus, the user's functions hold what libraries allocated for
  // them.
  OverviewTable own = {};
  // Used instead of `own` if no code is recognised as the user's own. Shows
  // each function with all its callees.
  OverviewTable cumulative = {};
  // Each stack is charged to its leaf.
  OverviewTable allocating = {};
  // Each stack is charged to its group. Has kOtherGroup even if no stack is in
  // it; empty if there are no groups.
  OverviewTable groups = {};
};

struct OverviewOptions {
  Metric metric = Metric::kInuseSpace;
  LabelOptions labels = {};
  // See OverviewLabelsOf(); null: unknown.
  const FrameLabels* row_labels = nullptr;
  // In the user's own code. Empty if own code was not looked for.
  CallsOfStacks own_calls = {};
  std::vector<StoryRole> story_roles = {};  // see StoryOptions
  size_t most_chains = StoryOptions().most_chains;
  unsigned jobs = 1;  // threads
};

// Returns the options of the labels that rows have. A comparison has one row
// for a function, whether its calls are inlined or not.
LabelOptions OverviewLabelsOf(const Profile& profile,
                              const OverviewOptions& options);

Overview MakeOverview(const Profile& profile, const OverviewOptions& options);

}  // namespace heapprof
