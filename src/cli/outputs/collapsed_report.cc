// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/collapsed.h"
#include "heapprof/view/stack_table.h"

namespace heapprof {

Result<std::string> MakeCollapsedReport(const ReportRequest& request) {
  const Options& options = request.options;
  const StackTable table =
      MakeStackTable(request.profile, options.metric, options.granularity);
  if (options.two_columns) return WriteTwoColumns(table);
  CollapsedReport report = WriteCollapsed(table);
  NoteShrunk(report.shrunk, request);
  return std::move(report.text);
}

}  // namespace heapprof
