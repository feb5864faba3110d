// SPDX-License-Identifier: Apache-2.0
//
// --callers and --callees.
#include "cli/outputs/report_request.h"
#include "cli/outputs/requested_tables.h"
#include "heapprof/report/call_tree.h"

namespace heapprof {
namespace {

Result<void> MakeReport(CallDirection direction, const ReportRequest& request,
                        ByteSink& out) {
  const auto tree = CallTreesOfMatches(direction, request);
  if (!tree) return std::unexpected(tree.error());
  const TerminalStyle style = request.Style();
  out.Append(
      WriteCallTree(*tree, {.pattern = request.options.pattern->pattern(),
                            .direction = direction,
                            .unit = UnitOf(request.options),
                            .is_comparison = request.profile.is_comparison,
                            .width = style.columns,
                            .draws_lines = style.utf8,
                            .color = style.color}));
  return {};
}

}  // namespace

Result<void> MakeCallersReport(const ReportRequest& request, ByteSink& out) {
  return MakeReport(CallDirection::kCallers, request, out);
}

Result<void> MakeCalleesReport(const ReportRequest& request, ByteSink& out) {
  return MakeReport(CallDirection::kCallees, request, out);
}

}  // namespace heapprof
