// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/report_request.h"
#include "heapprof/report/pprof.h"

namespace heapprof {

Result<std::string> MakePprofReport(const ReportRequest& request) {
  return WritePprof(request.profile,
                    {.default_metric = request.options.metric,
                     .comments = {"heapprof " HEAPPROF_VERSION}});
}

}  // namespace heapprof
