// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/outputs/comparison_text.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/next_commands.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "heapprof/base/printable.h"
#include "heapprof/report/overview.h"
#include "heapprof/transform/foreign_scope.h"
#include "heapprof/view/overview.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

std::vector<std::string> Commands(const Overview& overview,
                                  const ReportRequest& request) {
  std::vector<std::string> commands =
      NextCommands(FunctionsToFollow(overview, request.profile.is_comparison),
                   PageOutput("mem"), request);
  if (request.inputs.facts.size() == 1)
    commands.push_back(CommandWith("info", request.options));
  return commands;
}

// Says that a library may have been taken for own code.
void NoteForeignCode(const ReportRequest& request) {
  const std::string& own = request.options.filters.options().own;
  if (!own.empty() && own != "auto") return;
  const auto found = FindForeignScope(request.profile, *request.own_code,
                                      request.options.metric);
  if (found)
    request.diagnostics.Note(fmt::format(
        "{} is in {}, which counts as your code; if it is a library, use "
        "--own='!^{}::'",
        FormatShare(found->percent), Printable(found->scope),
        Printable(found->scope)));
}

}  // namespace

Result<void> MakeOverviewReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  if (request.profile.is_comparison) {
    constexpr size_t kRowsInPipe = 10;
    out.Append(ComparisonText(request, kRowsInPipe));
    return {};
  }
  NoteForeignCode(request);
  OverviewOptions overview_options =
      OverviewOptionsOf(request.profile, *request.own_code, options);
  overview_options.most_chains = ChainsOnScreen(request.Style().rows);
  const Overview overview = MakeOverview(request.profile, overview_options);
  const size_t dumps = std::max<size_t>(1, request.inputs.facts.size());
  const auto write = [&] {
    const TerminalStyle style = request.Style();
    return WriteOverview(overview, {.dump = request.inputs.first_dump,
                                    .more_dumps = dumps - 1,
                                    .commands = Commands(overview, request),
                                    .columns = style.columns,
                                    .rows = style.rows,
                                    .top = options.top,
                                    .color = style.color});
  };
  std::string written = write();
  // The note takes a line of the screen.
  if (NoteTags(written, request.diagnostics)) written = write();
  out.Append(written);
  return {};
}

}  // namespace heapprof
