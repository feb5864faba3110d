// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/collapsed.h"
#include "heapprof/view/stack_table.h"

namespace heapprof {

Result<void> MakeCollapsedReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  const StackTable table =
      MakeStackTable(request.profile, options.metric, options.granularity);
  if (options.two_columns)
    WriteTwoColumns(table, out);
  else
    NoteShrunk(WriteCollapsed(table, out), request);
  return {};
}

}  // namespace heapprof
