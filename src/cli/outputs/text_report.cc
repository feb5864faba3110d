// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/outputs/comparison_text.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/top_rows.h"
#include "heapprof/profile/thread_name.h"
#include "heapprof/report/text.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/group_rows.h"
#include "heapprof/view/object_sizes.h"
#include "heapprof/view/thread_table.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Returns the title of the table for a value of --thread: "t3" for a UID, as in
// jeprof; a thread name is its own title.
std::string SelectionTitle(const std::string& thread) {
  return IsAllDigits(thread) ? "t" + thread : thread;
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
    case Exactness::kEstimated:
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
                      .describes_cumulative = options.sort_by_cumulative};
  if (!options.show_errors) return text;
  const ErrorBars bars(request.profile, options.metric);
  if (const char* reason = ReasonForNoErrorBars(bars.exactness()))
    request.diagnostics.Note(std::string("--ci: ") + reason);
  else
    text.error_bars = bars;
  return text;
}

// A table on a terminal has more columns than jeprof's.
bool HasSizes(const ReportRequest& request) {
  return request.Style().is_terminal &&
         KnowsObjectSizes(request.profile, request.options.metric);
}

FlatOptions TableOptionsOf(const ReportRequest& request) {
  const Options& options = request.options;
  return {.metric = options.metric,
          .sort_by_cumulative = options.sort_by_cumulative,
          .counts_objects = HasSizes(request),
          .labels = RowLabelsOf(options)};
}

std::string_view NounOf(Granularity rows) {
  if (rows == Granularity::kFiles) return "file";
  if (rows == Granularity::kModules) return "module";
  return rows == Granularity::kGroups ? "group" : "function";
}

// Sets what depends on the terminal, apart from the number of rows.
void LayOut(const ReportRequest& request, TextOptions& text) {
  const TerminalStyle style = request.Style();
  text.heading = style.is_terminal;
  text.has_sizes = HasSizes(request);
  text.width = style.columns;
  text.color = style.color;
  text.noun = NounOf(request.options.rows);
  text.has_places = request.options.rows == Granularity::kLines;
}

// Sets how many rows to print, of `most` that there is room for; 0 = all.
void SetTop(const ReportRequest& request, size_t most, FlatTable& table,
            TextOptions& text) {
  text.top = request.options.rows == Granularity::kGroups
                 ? KeepOtherGroup(table.rows, most)
                 : most;
}

// Calls `visit` with the table of each thread, one after the other.
void VisitThreads(const ReportRequest& request,
                  const std::function<void(ThreadId, FlatTable)>& visit) {
  FlatOptions options = TableOptionsOf(request);
  const FrameLabels labels(request.profile, options.labels);
  for (const auto& [thread, samples, filtered_out] :
       SamplesByThread(request.profile)) {
    options.samples = samples;
    options.filtered_out = filtered_out;
    visit(thread, MakeFlatTable(request.profile, labels, options));
  }
}

// On a terminal, the largest threads with their largest rows, on one screen.
void WriteLargestThreads(const ReportRequest& request, ByteSink& out) {
  constexpr size_t kLinesEach = 4;  // the total, and rows
  const Profile& profile = request.profile;
  const ErrorBars bars(profile, request.options.metric);
  struct ThreadTable {
    ThreadId thread;
    FlatTable table;
  };
  std::vector<ThreadTable> tables;
  VisitThreads(request, [&tables](ThreadId thread, FlatTable table) {
    tables.push_back({thread, std::move(table)});
  });
  std::ranges::stable_sort(tables, std::greater(),
                           [](const ThreadTable& table) {
                             return std::abs(Difference(table.table.total));
                           });
  const size_t most =
      std::max<size_t>(1, (LineLimit(request) - 1) / kLinesEach);
  if (tables.size() > most)
    request.diagnostics.Note(
        Counted(tables.size() - most, "more thread") +
        "; --threads has a line for each, --top 0 shows all");
  tables.resize(std::min(tables.size(), most));
  const Unit unit =
      tables.empty() ? UnitOf(request.options)
                     : request.RowUnit(Difference(tables.front().table.total));
  TextOptions text = TextOptionsOf(request);
  LayOut(request, text);
  text.unit = unit;
  for (auto& [id, table] : tables) {
    SetTop(request, kLinesEach - 1, table, text);
    const Thread& thread = profile.threads[id.index()];
    text.thread = ThreadTitle(thread.uid, profile.String(thread.name));
    text.total = FormatWithInterval(
        Difference(table.total), bars.Of(table.total, Extent::kThread), unit);
    out.Append(WriteText(table, text));
    text.heading = false;
  }
}

void WriteTextOfEachThread(const ReportRequest& request, ByteSink& out) {
  TextOptions text = TextOptionsOf(request);
  VisitThreads(request, [&](ThreadId thread, FlatTable table) {
    SetTop(request, request.options.top.value_or(0), table, text);
    text.thread = ThreadTitle(request.profile.threads[thread.index()].uid, "");
    out.Append(WriteText(table, text));
  });
}

// Sets the total with its error bar, if there is one, and its unit.
void SetTotal(const ReportRequest& request, TextOptions& text) {
  const Options& options = request.options;
  const ErrorBars bars(request.profile, options.metric);
  const Change change = UnfilteredTotal(request.profile, options.metric);
  const double total = Difference(change);
  text.unit = request.RowUnit(total);
  text.total = bars.is_exact()
                   ? FormatAmount(total, text.unit) + " (exact)"
                   : FormatWithInterval(total, bars.Of(change, Extent::kTotal),
                                        text.unit);
}

std::string TextOfProfile(const ReportRequest& request) {
  const Options& options = request.options;
  FlatTable table = MakeFlatTable(request.profile, TableOptionsOf(request));
  const TerminalStyle style = request.Style();
  TextOptions text = TextOptionsOf(request);
  SetTop(request, LineLimit(request), table, text);
  NoteMoreRows(table.rows.size(), text.top, request);
  if (style.is_terminal) SetTotal(request, text);
  text.thread = SelectionTitle(options.thread);
  LayOut(request, text);
  std::string written = WriteText(table, text);
  if (style.is_terminal) NoteTags(written, request.diagnostics);
  return written;
}

}  // namespace

Result<void> MakeTextReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  if (ComparesOnTerminal(request.output, options))
    out.Append(ComparisonText(request, 0));
  else if (options.thread == "*" && request.Style().is_terminal && !options.top)
    WriteLargestThreads(request, out);
  else if (options.thread == "*")
    WriteTextOfEachThread(request, out);
  else
    out.Append(TextOfProfile(request));
  return {};
}

}  // namespace heapprof
