// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/sizes.h"
#include "heapprof/view/size_table.h"

namespace heapprof {

Result<void> MakeSizesReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  if (!request.profile.has_object_counts)
    return Fail(ErrorKind::kNoData,
                "--sizes: the profile has no numbers of objects, so their "
                "sizes are not known");
  constexpr size_t kColors = 6;
  const SizeTable table = MakeSizeTable(
      request.profile, options.metric,
      FrameLabels(request.profile, LabelsOf(options)),
      OwnCalls(request.profile, *request.own_code, options), kColors);
  const RowsOptions rows = OptionsOfRows(table.rows.size(), request);
  if (const std::string text = MeanSizesText(table); !text.empty())
    request.diagnostics.Note("--sizes: " + text);
  out.Append(WriteSizes(table, rows));
  return {};
}

}  // namespace heapprof
