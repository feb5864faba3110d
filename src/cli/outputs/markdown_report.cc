// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "cli/outputs/latest_snapshots.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/next_commands.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "heapprof/report/markdown.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"

namespace heapprof {
namespace {

// Returns the files of a side: a baseline that holds several dumps is one.
std::vector<std::string> DumpsOf(const LoadedInputs& inputs, Side side) {
  std::vector<std::string> paths;
  for (const InputFacts& facts : inputs.facts)
    if (facts.side == side && (paths.empty() || paths.back() != facts.path))
      paths.push_back(facts.path);
  return paths;
}

}  // namespace

Result<void> MakeMarkdownReport(const ReportRequest& request, ByteSink& out) {
  constexpr uint64_t kDefaultBudget = 16'000;
  const std::optional<LatestDumps> latest = LatestSnapshots(request);
  const Profile& profile = latest ? latest->profile : request.profile;
  const Options& options = request.options;
  const ErrorBars errors(profile, options.metric);
  const auto cell_of = [&errors](const Change& sum) {
    return MetricCell{.change = sum,
                      .interval = errors.Of(sum, Extent::kTotal)};
  };
  const Change total = UnfilteredTotal(profile, options.metric);
  const Change shown = TotalChange(profile, options.metric);
  LabelOptions lines = LabelsOf(options);
  lines.granularity = Granularity::kLines;
  const OverviewOptions overview =
      OverviewOptionsOf(profile, *request.own_code, options);
  const std::vector<bool> own_lines = OwnLines(profile, *request.own_code);
  if (!overview.own_calls.empty()) lines.own_lines = &own_lines;
  MarkdownReport report = {
      .dumps = DumpsOf(request.inputs, Side::kNew),
      .bases = DumpsOf(request.inputs, Side::kBase),
      .is_comparison = profile.is_comparison,
      .overview = MakeOverview(profile, overview),
      .total = cell_of(total),
      .traces = MakeTraces(profile, options.metric, lines),
      .most_bytes = options.markdown_budget.value_or(kDefaultBudget)};
  // Filters may have removed as much on both sides.
  if (shown.now.value != total.now.value ||
      shown.base.value != total.base.value)
    report.left = cell_of(shown);
  if (latest) {
    report.latest = RunsOf(profile, Side::kNew).size();
    report.at_end = latest->at_end;
  }
  report.warnings = Warnings(request.diagnostics, /*all=*/true);
  // They say why there is nothing to show.
  if (profile.samples.empty())
    std::ranges::copy(request.diagnostics.notes(),
                      std::back_inserter(report.warnings));
  report.commands =
      NextCommands(FunctionsToFollow(report.overview, profile.is_comparison),
                   PageOutput("mem"), request);
  out.Append(WriteMarkdown(report));
  return {};
}

}  // namespace heapprof
