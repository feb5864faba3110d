// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "cli/outputs/report_request.h"
#include "heapprof/report/raw.h"

namespace heapprof {

Result<void> MakeRawReport(const ReportRequest& request, ByteSink& out) {
  RawReport report = WriteRaw(request.profile);
  if (report.rounded)
    request.diagnostics.Note(
        "the values were recorded with several sampling periods: they are "
        "written in whole bytes, without threads");
  out.Append(report.text);
  return {};
}

}  // namespace heapprof
