// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/callgrind.h"
#include "heapprof/view/call_costs.h"
#include "heapprof/view/metric_words.h"

namespace heapprof {

Result<void> MakeCallgrindReport(const ReportRequest& request, ByteSink& out) {
  const Profile& profile = request.profile;
  const Options& options = request.options;
  const CallCosts costs =
      MakeCallCosts(profile, options.metric, LabelsOf(options).names);
  NoteShrunk(costs.shrunk, request);
  out.Append(WriteCallgrind(
      costs, {.creator = "heapprof " HEAPPROF_VERSION,
              .command = std::string(profile.String(profile.main_binary)),
              .event = std::string(MetricName(options.metric))}));
  return {};
}

}  // namespace heapprof
