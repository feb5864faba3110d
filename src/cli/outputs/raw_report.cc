// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "cli/outputs/report_request.h"
#include "heapprof/report/raw.h"

namespace heapprof {

Result<std::string> MakeRawReport(const ReportRequest& request) {
  RawReport report = WriteRaw(request.profile);
  if (report.rounded)
    request.diagnostics.Note(
        "the values were recorded with several sampling periods: they are "
        "written in whole bytes, without threads");
  return std::move(report.text);
}

}  // namespace heapprof
