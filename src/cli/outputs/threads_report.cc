// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/threads.h"
#include "heapprof/view/change.h"
#include "heapprof/view/thread_table.h"

namespace heapprof {

Result<void> MakeThreadsReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  const auto rows =
      MakeThreadTable(request.profile, options.metric,
                      FrameLabels(request.profile, LabelsOf(options)),
                      OwnCalls(request.profile, *request.own_code, options));
  const size_t top = LineLimit(request);
  NoteMoreRows(rows.size(), top, request);
  out.Append(WriteThreads(rows, {.unit = UnitOf(options),
                                 .is_exact = IsExact(request.profile),
                                 .is_comparison = request.profile.is_comparison,
                                 .top = top,
                                 .width = request.Style().columns}));
  return {};
}

}  // namespace heapprof
