// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/report_request.h"
#include "heapprof/report/pprof.h"

namespace heapprof {

Result<void> MakePprofReport(const ReportRequest& request, ByteSink& out) {
  const auto profile =
      WritePprof(request.profile, {.default_metric = request.options.metric,
                                   .comments = {"heapprof " HEAPPROF_VERSION}});
  if (!profile) return std::unexpected(profile.error());
  out.Append(*profile);
  return {};
}

}  // namespace heapprof
