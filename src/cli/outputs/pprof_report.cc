// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/pprof_file.h"
#include "cli/outputs/report_request.h"

namespace heapprof {

Result<void> MakePprofReport(const ReportRequest& request, ByteSink& out) {
  return WritePprofFile(request.profile,
                        {.default_metric = request.options.metric,
                         .comments = {"heapprof " HEAPPROF_VERSION}},
                        request.output.path, request.options, out);
}

}  // namespace heapprof
