// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/report_request.h"
#include "heapprof/report/raw.h"

namespace heapprof {

Result<void> MakeRawReport(const ReportRequest& request, ByteSink& out) {
  if (WriteRaw(request.profile, out))
    request.diagnostics.Note(
        "the values were recorded with several sampling periods: they are "
        "written in whole bytes, without threads");
  return {};
}

}  // namespace heapprof
