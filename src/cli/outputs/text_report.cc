// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/core.h>

#include "cli/outputs/comparison_text.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/text.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/thread_table.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Returns the title of the table for a value of --thread: "t3" for a UID, as in
// jeprof; a thread name is its own title.
std::string ThreadTitle(const std::string& thread) {
  const bool is_uid = thread.find_first_not_of("0123456789") == thread.npos;
  return is_uid && !thread.empty() ? "t" + thread : thread;
}

// Returns why a table with --ci has no error bars; null if it has error bars.
const char* ReasonForNoErrorBars(Exactness exactness) {
  switch (exactness) {
    case Exactness::kObjectCount:
      return "numbers of objects have no error bars: the sizes of the objects "
             "are not known well enough";
    case Exactness::kUnknownPeriod:
      return "the profile does not say how it was sampled, so there are no "
             "error bars; --sample-period N says it";
    case Exactness::kSampled:
    case Exactness::kExact:
      return nullptr;
  }
  return nullptr;
}

// Returns the options that are the same for the table of all threads and for
// that of a single thread.
TextOptions TextOptionsOf(const ReportRequest& request) {
  const Options& options = request.options;
  TextOptions text = {.unit = UnitOf(options),
                      .has_cumulative_errors = options.sort_by_cumulative};
  if (!options.show_errors) return text;
  const ErrorBars bars(request.profile, options.metric);
  if (const char* reason = ReasonForNoErrorBars(bars.exactness()))
    request.diagnostics.Note(std::string("--ci: ") + reason);
  else
    text.error_bars = bars;
  return text;
}

FlatOptions TableOptionsOf(const Options& options) {
  return {.metric = options.metric,
          .sort_by_cumulative = options.sort_by_cumulative,
          .labels = LabelsOf(options)};
}

void WriteTextOfEachThread(const ReportRequest& request, ByteSink& out) {
  const Profile& profile = request.profile;
  FlatOptions table_options = TableOptionsOf(request.options);
  TextOptions text_options = TextOptionsOf(request);
  text_options.top = request.options.top.value_or(0);
  const FrameLabels labels(profile, table_options.labels);
  for (const auto& [thread, samples, filtered_out] : SamplesByThread(profile)) {
    table_options.samples = samples;
    table_options.filtered_out = filtered_out;
    text_options.thread =
        fmt::format("t{}", profile.threads[thread.index()].uid);
    out.Append(
        WriteText(MakeFlatTable(profile, labels, table_options), text_options));
  }
}

// Returns the total with its error bar; an empty string if the error is not
// known.
std::string TotalWithError(const ReportRequest& request) {
  const Options& options = request.options;
  const ErrorBars bars(request.profile, options.metric);
  const Change total = UnfilteredTotal(request.profile, options.metric);
  if (bars.is_exact())
    return FormatAmount(Difference(total), UnitOf(options)) + " (exact)";
  const auto interval = bars.Of(total, Extent::kTotal);
  return interval
             ? FormatWithInterval(Difference(total), *interval, UnitOf(options))
             : "";
}

std::string TextOfProfile(const ReportRequest& request) {
  const Options& options = request.options;
  const FlatTable table =
      MakeFlatTable(request.profile, TableOptionsOf(options));
  const TerminalStyle style = request.Style();
  const size_t top = LineLimit(request);
  NoteMoreRows(table.rows.size(), top, request);
  TextOptions text = TextOptionsOf(request);
  text.top = top;
  text.heading = style.is_terminal;
  if (style.is_terminal) text.total = TotalWithError(request);
  text.thread = ThreadTitle(options.thread);
  text.width = style.columns;
  text.color = style.color;
  return WriteText(table, text);
}

}  // namespace

Result<void> MakeTextReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  if (ComparesOnTerminal(request.output, options))
    out.Append(ComparisonText(request, 0));
  else if (options.thread == "*")
    WriteTextOfEachThread(request, out);
  else
    out.Append(TextOfProfile(request));
  return {};
}

}  // namespace heapprof
