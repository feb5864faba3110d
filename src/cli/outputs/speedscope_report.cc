// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cli/outputs/report_request.h"
#include "heapprof/base/base_name.h"
#include "heapprof/report/speedscope.h"
#include "heapprof/view/weighted_stacks.h"

namespace heapprof {

Result<void> MakeSpeedscopeReport(const ReportRequest& request, ByteSink& out) {
  const Profile& profile = request.profile;
  const Options& options = request.options;
  const WeightedStacks stacks = MakeWeightedStacks(
      profile,
      {.granularity = options.granularity, .by_thread = options.thread == "*"});
  WriteSpeedscope(profile, stacks,
                  {.exporter = "heapprof " HEAPPROF_VERSION,
                   .name = std::string(BaseName(request.inputs.first_dump)),
                   .metric = options.metric},
                  out);
  return {};
}

}  // namespace heapprof
