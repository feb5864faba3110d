// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/row_limits.h"

#include <algorithm>

#include <fmt/core.h>

#include "heapprof/base/counted.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/units.h"

namespace heapprof {

size_t RowLimit(const ReportRequest& request) {
  constexpr size_t kTerminalRows = 30;
  return request.options.top.value_or(
      request.Style().is_terminal ? kTerminalRows : 0);
}

size_t LineLimit(const ReportRequest& request) {
  // The total, the heading, three messages and the prompt.
  constexpr size_t kOtherLines = 6;
  constexpr size_t kFewest = 5;
  const TerminalStyle style = request.Style();
  if (request.options.top || style.rows == 0) return RowLimit(request);
  return std::max(kFewest, style.rows - std::min(style.rows, kOtherLines));
}

void NoteMoreRows(size_t rows, size_t limit, const ReportRequest& request) {
  if (!request.options.top && limit != 0 && rows > limit)
    request.diagnostics.Note(Counted(rows - limit, "more row") +
                             "; --top 0 shows all");
}

RowsOptions OptionsOfRows(size_t rows, const ReportRequest& request) {
  const size_t top = LineLimit(request);
  NoteMoreRows(rows, top, request);
  return {
      .unit = UnitOf(request.options),
      .is_exact = ErrorBars(request.profile, request.options.metric).is_exact(),
      .is_comparison = request.profile.is_comparison,
      .top = top,
      .width = request.Style().columns,
      .color = request.Style().color};
}

void NoteShrunk(double shrunk, const ReportRequest& request) {
  if (shrunk > 0)
    request.diagnostics.Note(
        fmt::format("what shrank is not in the output: {}",
                    FormatAmount(shrunk, UnitOf(request.options))));
}

}  // namespace heapprof
