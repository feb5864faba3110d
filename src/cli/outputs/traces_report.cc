// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/report_request.h"
#include "cli/outputs/requested_tables.h"
#include "heapprof/report/traces.h"

namespace heapprof {

Result<void> MakeTracesReport(const ReportRequest& request, ByteSink& out) {
  WriteTraces(LargestTraces(request), UnitOf(request.options),
              request.Style().columns, out);
  return {};
}

}  // namespace heapprof
