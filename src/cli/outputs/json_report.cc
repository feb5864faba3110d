// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/requested_tables.h"
#include "heapprof/base/for_each.h"
#include "heapprof/report/report_json.h"
#include "heapprof/view/change.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/group_rows.h"
#include "heapprof/view/thread_table.h"

namespace heapprof {
namespace {

std::vector<std::pair<Metric, Change>> TotalsOf(const Profile& profile) {
  std::vector<std::pair<Metric, Change>> totals;
  for (const Metric metric : kMetrics)
    if (HasMetric(profile, metric))
      totals.emplace_back(metric, UnfilteredTotal(profile, metric));
  return totals;
}

// Returns one table for each thread in `rows`, in the same order.
std::vector<FlatTable> TablesOf(const Profile& profile,
                                const FrameLabels& labels,
                                const std::vector<ThreadRow>& rows,
                                FlatOptions options) {
  std::map<ThreadId, std::vector<Sample>> samples;
  for (ThreadSamples& thread : SamplesByThread(profile))
    samples[thread.thread] = std::move(thread.samples);
  std::vector<FlatTable> tables;
  for (const ThreadRow& row : rows) {
    options.samples = samples[row.thread];
    tables.push_back(MakeFlatTable(profile, labels, options));
  }
  return tables;
}

Result<RequestedTable> CallTreesOf(CallDirection direction,
                                   const ReportRequest& request) {
  auto tree = CallTreesOfMatches(direction, request);
  if (!tree) return std::unexpected(tree.error());
  return DirectedCallTree{direction, std::move(*tree)};
}

// Returns the table whose option was given in addition to --json.
Result<RequestedTable> RequestedTableOf(const ReportRequest& request) {
  const OutputFormat* table = request.options.json_table;
  if (table == OutputNamed("tree")) return CallersCalleesOfAll(request);
  if (table == OutputNamed("peek")) return CallersCalleesOfMatches(request);
  if (table == OutputNamed("callers"))
    return CallTreesOf(CallDirection::kCallers, request);
  if (table == OutputNamed("callees"))
    return CallTreesOf(CallDirection::kCallees, request);
  if (table == OutputNamed("traces")) return LargestTraces(request);
  return RequestedTable();
}

}  // namespace

Result<void> MakeJsonReport(const ReportRequest& request, ByteSink& out) {
  const Profile& profile = request.profile;
  const Options& options = request.options;
  FlatOptions table_options = {.metric = options.metric,
                               .sort_by_cumulative = options.sort_by_cumulative,
                               .counts_samples = true,
                               .counts_objects = true,
                               .judges_changes = profile.is_comparison,
                               .labels = RowLabelsOf(options)};
  table_options.labels.with_code = true;
  const FrameLabels labels(profile, table_options.labels);
  // Only the roots of stacks have labels of groups, and calls have none.
  std::optional<FrameLabels> labels_of_calls;
  if (options.rows == Granularity::kGroups)
    labels_of_calls.emplace(profile, LabelsOf(options));
  ReportData report = {
      .version = HEAPPROF_VERSION,
      .inputs = request.inputs.facts,
      .metric = options.metric,
      .granularity = options.rows,
      .filters = request.filters,
      .totals = TotalsOf(profile),
      .shown = TotalChange(profile, options.metric),
      .top = options.top.value_or(0),
      .threads = MakeThreadTable(profile, options.metric,
                                 labels_of_calls ? *labels_of_calls : labels,
                                 OwnCalls(profile, *request.own_code, options)),
      .modules = *request.modules};
  const std::function<void()> parts[] = {
      [&] { report.table = MakeFlatTable(profile, labels, table_options); },
      [&] { report.story = StoryOf(profile, *request.own_code, options); }};
  ForEach(std::size(parts), JobsFor(profile, options),
          [&](size_t i) { parts[i](); });
  if (options.rows == Granularity::kGroups)
    report.top = KeepOtherGroup(report.table.rows, report.top);
  if (options.thread == "*")
    report.thread_tables =
        TablesOf(profile, labels, report.threads, table_options);
  auto requested = RequestedTableOf(request);
  if (!requested) return std::unexpected(requested.error());
  report.requested = std::move(*requested);
  WriteReportJson(profile, report, out);
  return {};
}

}  // namespace heapprof
