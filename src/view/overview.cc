// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/overview.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "heapprof/base/for_each.h"
#include "heapprof/profile/group_frames.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/object_sizes.h"
#include "heapprof/view/units.h"
#include "view/label_sums.h"

namespace heapprof {
namespace {

// What is charged to each label. An additional last element has what is charged
// to none.
struct Charges {
  std::vector<Change> sums = {};
  std::vector<double> objects = {};
  std::vector<Change> judged = {};  // by JudgingMetric(); of a comparison only
};

// Charges each stack to the call in the user's own code.
Charges ChargeOwnCalls(const Profile& profile, const FrameLabels& labels,
                       const OverviewOptions& options) {
  Charges charged = {.objects = std::vector<double>(labels.size() + 1)};
  const Metric objects = ObjectsOf(options.metric);
  std::vector<uint32_t> label_of_stack(profile.stacks.size());
  for (const Sample& sample : profile.samples) {
    const auto& call = options.own_calls[sample.stack.index()];
    const uint32_t label = call ? LabelOf(profile, sample, *call, labels)
                                : static_cast<uint32_t>(labels.size());
    charged.objects[label] += sample.values[objects].value;
    label_of_stack[sample.stack.index()] = label;
  }
  const auto sums_of = [&](Metric metric) {
    std::vector<Change> sums(labels.size() + 1);
    for (const Sample& sample : profile.samples)
      sums[label_of_stack[sample.stack.index()]][sample.side] +=
          sample.values[metric];
    AddSharedVariances(
        profile, profile.samples, metric,
        [&](const Sample& sample, std::vector<uint32_t>& of) {
          of.push_back(label_of_stack[sample.stack.index()]);
        },
        sums);
    return sums;
  };
  charged.sums = sums_of(options.metric);
  if (!profile.is_comparison) return charged;
  const Metric judge = JudgingMetric(profile, options.metric);
  charged.judged = judge == options.metric ? charged.sums : sums_of(judge);
  return charged;
}

class OverviewTableMaker {
 public:
  // `sums` is the result of SumsFor().
  OverviewTableMaker(const Profile& profile, const FrameLabels& labels,
                     const SumsOfMetrics& sums, const Overview& overview)
      : labels_(labels),
        sums_(sums.Of(overview.metric)),
        shown_(overview.shown),
        errors_(profile, overview.metric),
        judge_(profile, JudgingMetric(profile, overview.metric)) {
    if (KnowsObjectSizes(profile, overview.metric))
      objects_ = &sums.Of(ObjectsOf(overview.metric));
    if (profile.is_comparison)
      judged_ = &sums.Of(JudgingMetric(profile, overview.metric));
  }

  // What is charged to no label becomes OverviewTable::unassigned. Of the
  // labels with nothing, only `always` has a row.
  OverviewTable Of(const Charges& charged, std::string_view always = {}) const {
    OverviewTable table = {.unassigned = RowOf(charged, labels_.size())};
    std::vector<Change> shown, judged;  // by row
    table.unassigned.name = kOutsideOwnCode;
    for (uint32_t i = 0; i < labels_.size(); ++i) {
      if (Difference(charged.sums[i]) == 0 && labels_.Text(i) != always)
        continue;
      OverviewRow row = RowOf(charged, i);
      row.name = labels_.Text(i);
      row.cumulative_percent = Percent(Difference(sums_[i].cumulative), shown_);
      table.rows.push_back(std::move(row));
      if (judged_ == nullptr) continue;
      shown.push_back(charged.sums[i]);
      judged.push_back(charged.judged[i]);
    }
    const std::vector<bool> proven = judge_.FindProven(shown, judged);
    for (size_t i = 0; i < proven.size(); ++i)
      table.rows[i].has_changed = proven[i];
    const auto key = [](const OverviewRow& row) {
      return std::tuple(!row.has_changed, -std::abs(row.value()),
                        std::string_view(row.name));
    };
    std::ranges::sort(table.rows, {}, key);
    return table;
  }

  // Makes a table of one member of LabelChange: `flat` or `cumulative`.
  OverviewTable Of(Change LabelChange::* part,
                   std::string_view always = {}) const {
    Charges charged;
    for (size_t i = 0; i < sums_.size(); ++i) {
      charged.sums.push_back(sums_[i].*part);
      if (objects_ != nullptr)
        charged.objects.push_back(Difference((*objects_)[i].*part));
      if (judged_ != nullptr) charged.judged.push_back((*judged_)[i].*part);
    }
    charged.sums.emplace_back();
    charged.objects.emplace_back();
    charged.judged.emplace_back();
    return Of(charged, always);
  }

 private:
  OverviewRow RowOf(const Charges& charged, size_t i) const {
    const Change& change = charged.sums[i];
    OverviewRow row = {.cell = {.change = change},
                       .percent = Percent(Difference(change), shown_)};
    if (objects_ != nullptr) row.objects = charged.objects[i];
    if (judged_ != nullptr)
      row.cell.interval = errors_.Of(change);
    else
      MakeNonNegative(row.cell.change);
    return row;
  }

  const FrameLabels& labels_;
  const std::vector<LabelChange>& sums_;
  const std::vector<LabelChange>* objects_ = nullptr;  // if sizes are known
  // Those that decide what has changed; null unless sides are compared.
  const std::vector<LabelChange>* judged_ = nullptr;
  const double shown_;
  const ErrorBars errors_, judge_;
};

void SetTotals(const Profile& profile, Metric metric, Overview& overview) {
  const Change total = UnfilteredTotal(profile, metric);
  overview.shown = Difference(TotalChange(profile, metric));
  overview.total = Difference(total);
  if (IsObjectCount(metric)) return;
  const ErrorBars bars(profile, metric);
  overview.is_exact = bars.is_exact();
  overview.interval = bars.Of(total, Extent::kTotal);
  if (profile.has_object_counts)
    overview.objects = UnfilteredChange(profile, ObjectsOf(metric));
}

// Returns the sums of `metric`, of the objects if their sizes are known, and in
// a comparison of JudgingMetric().
SumsOfMetrics SumsFor(const Profile& profile, const FrameLabels& labels,
                      Metric metric) {
  std::vector<Metric> metrics = {metric};
  if (KnowsObjectSizes(profile, metric)) metrics.push_back(ObjectsOf(metric));
  if (profile.is_comparison) metrics.push_back(JudgingMetric(profile, metric));
  return {profile, profile.samples, labels, metrics};
}

void SetGroups(const Profile& profile, Overview& overview) {
  if (std::ranges::none_of(profile.locations, &Location::is_group)) return;
  const FrameLabels labels(profile, {.granularity = Granularity::kGroups});
  const SumsOfMetrics sums = SumsFor(profile, labels, overview.metric);
  overview.groups = OverviewTableMaker(profile, labels, sums, overview)
                        .Of(&LabelChange::cumulative, kOtherGroup);
}

void SetTables(const Profile& profile, const OverviewOptions& options,
               Overview& overview) {
  std::optional<FrameLabels> made;
  const FrameLabels& labels =
      options.row_labels != nullptr
          ? *options.row_labels
          : made.emplace(profile, OverviewLabelsOf(profile, options));
  const SumsOfMetrics sums = SumsFor(profile, labels, options.metric);
  const OverviewTableMaker tables(profile, labels, sums, overview);
  overview.allocating = tables.Of(&LabelChange::flat);
  if (!options.own_calls.empty())
    overview.own = tables.Of(ChargeOwnCalls(profile, labels, options));
  if (overview.own.rows.empty())
    overview.cumulative = tables.Of(&LabelChange::cumulative);
}

}  // namespace

std::optional<double> MeanObjectSize(const OverviewRow& row) {
  return MeanObjectSize(row.value(), row.objects);
}

OverviewRow SumOfRows(const OverviewTable& table, size_t first) {
  OverviewRow sum;
  for (const OverviewRow& row : std::span(table.rows).subspan(first)) {
    sum.cell.change += row.cell.change;
    sum.percent += row.percent;
    sum.objects += row.objects;
  }
  return sum;
}

size_t CountChanged(const OverviewTable& table) {
  return static_cast<size_t>(
      std::ranges::count_if(table.rows, &OverviewRow::has_changed));
}

bool KnowsObjectSizes(const OverviewTable& table) {
  return std::ranges::any_of(table.rows, [](const OverviewRow& row) {
    return MeanObjectSize(row).has_value();
  });
}

LabelOptions OverviewLabelsOf(const Profile& profile,
                              const OverviewOptions& options) {
  LabelOptions labels = options.labels;
  if (profile.is_comparison) labels.marks_inlined = false;
  return labels;
}

Overview MakeOverview(const Profile& profile, const OverviewOptions& options) {
  Overview overview = {
      .program = std::string(profile.String(profile.main_binary)),
      .time_seconds = profile.time_seconds,
      .sampling_period = profile.sampling_period,
      .metric = options.metric};
  SetTotals(profile, options.metric, overview);
  const std::function<void()> parts[] = {
      [&] { SetTables(profile, options, overview); },
      [&] { SetGroups(profile, overview); },
      [&] {
        overview.story =
            MakeStory(profile, {.metric = options.metric,
                                .names = options.labels.names,
                                .roles = options.story_roles,
                                .most_chains = options.most_chains});
      }};
  ForEach(std::size(parts), options.jobs, [&](size_t i) { parts[i](); });
  return overview;
}

}  // namespace heapprof
