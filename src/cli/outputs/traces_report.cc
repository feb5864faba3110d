// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/traces.h"
#include "heapprof/view/trace_table.h"

namespace heapprof {

Result<std::string> MakeTracesReport(const ReportRequest& request) {
  const Options& options = request.options;
  TraceTable table =
      MakeTraces(request.profile, options.metric, LabelsOf(options));
  const size_t top = RowLimit(request);
  NoteMoreRows(table.traces.size(), top, request);
  if (top != 0 && table.traces.size() > top) table.traces.resize(top);
  return WriteTraces(table, UnitOf(options), request.Style().columns);
}

}  // namespace heapprof
