// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/outputs/next_commands.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "heapprof/report/overview.h"
#include "heapprof/view/overview.h"

namespace heapprof {
namespace {

std::vector<std::string> Commands(const Overview& overview,
                                  const Options& options) {
  const auto& rows =
      overview.own.rows.empty() ? overview.allocating.rows : overview.own.rows;
  std::vector<std::string> names;
  for (const OverviewRow& row : rows) names.push_back(row.name);
  std::vector<std::string> commands =
      NextCommands(names, "-o mem.flame.svg", options);
  commands.push_back(CommandWith("info", options));
  return commands;
}

}  // namespace

Result<void> MakeOverviewReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  const TerminalStyle style = request.Style();
  const Overview overview = MakeOverview(
      request.profile, {.metric = options.metric,
                        .labels = LabelsOf(options),
                        .own_calls = OwnCalls(request.profile, options)});
  out.Append(WriteOverview(overview, {.dump = request.inputs.first_dump,
                                      .commands = Commands(overview, options),
                                      .columns = style.columns,
                                      .rows = style.rows,
                                      .color = style.color}));
  return {};
}

}  // namespace heapprof
