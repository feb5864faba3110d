// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/threads.h"
#include "heapprof/view/thread_table.h"

namespace heapprof {

Result<void> MakeThreadsReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  const auto rows =
      MakeThreadTable(request.profile, options.metric,
                      FrameLabels(request.profile, LabelsOf(options)),
                      OwnCalls(request.profile, *request.own_code, options));
  out.Append(WriteThreads(rows, OptionsOfRows(rows.size(), request)));
  return {};
}

}  // namespace heapprof
