// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/reports.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/outputs/call_tree_report.h"
#include "cli/outputs/disasm_report.h"
#include "cli/outputs/draw_graph.h"
#include "cli/outputs/list_report.h"
#include "cli/outputs/name_pattern.h"
#include "cli/outputs/overview_report.h"
#include "cli/system/terminal.h"
#include "heapprof/report/callgrind.h"
#include "heapprof/report/collapsed.h"
#include "heapprof/report/dot.h"
#include "heapprof/report/pprof.h"
#include "heapprof/report/raw.h"
#include "heapprof/report/text.h"
#include "heapprof/report/threads.h"
#include "heapprof/report/traces.h"
#include "heapprof/report/tree.h"
#include "heapprof/view/call_costs.h"
#include "heapprof/view/call_graph.h"
#include "heapprof/view/callers_callees.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/info.h"
#include "heapprof/view/matching_labels.h"
#include "heapprof/view/stack_table.h"
#include "heapprof/view/thread_table.h"
#include "heapprof/view/trace_table.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Rows of a table on a terminal, where nobody reads the other thousand.
constexpr size_t kTerminalRows = 30;

Look LookOf(const Output& output, const Options& options) {
  return output.IsStandardOutput() ? LookOfStandardOutput(options.color)
                                   : Look();
}

// How many rows to print; 0 = all.
size_t RowLimit(const Look& look, const Options& options) {
  return options.top.value_or(look.terminal ? kTerminalRows : 0);
}

// The same where a row is a line: as many as fit beside the total, the heading,
// two messages and the prompt.
size_t LineLimit(const Look& look, const Options& options) {
  constexpr size_t kOtherLines = 5;
  constexpr size_t kFewest = 5;
  if (options.top || look.rows == 0) return RowLimit(look, options);
  return std::max(kFewest, look.rows - std::min(look.rows, kOtherLines));
}

// Of `rows`, all that there are, `limit` are printed.
void NoteMoreRows(size_t rows, size_t limit, const Options& options,
                  Diagnostics& diagnostics) {
  if (!options.top && limit != 0 && rows > limit)
    diagnostics.Note(
        fmt::format("{} more rows; --top 0 shows all", rows - limit));
}

// jeprof writes "t3"; names are as they are.
std::string ThreadTitle(const std::string& thread) {
  const bool is_uid = thread.find_first_not_of("0123456789") == thread.npos;
  return is_uid && !thread.empty() ? "t" + thread : thread;
}

std::string TextOfEachThread(const Profile& profile, const Options& options) {
  std::string text;
  for (const auto& [thread, samples, filtered_out] : SamplesByThread(profile)) {
    const FlatTable table = MakeFlatTable(
        profile, {.metric = options.metric,
                  .sort_by_cumulative = options.sort_by_cumulative,
                  .labels = LabelsOf(options),
                  .samples = samples,
                  .filtered_out = filtered_out});
    text += WriteText(table, {.unit = UnitOf(options),
                              .top = options.top.value_or(0),
                              .thread = fmt::format(
                                  "t{}", profile.threads[thread.index()].uid)});
  }
  return text;
}

std::string ThreadsReport(const Profile& profile, const Output& output,
                          const Options& options, Diagnostics& diagnostics) {
  const auto rows = MakeThreadTable(profile, options.metric, LabelsOf(options));
  const Look look = LookOf(output, options);
  const size_t top = LineLimit(look, options);
  NoteMoreRows(rows.size(), top, options, diagnostics);
  return WriteThreads(
      rows, {.unit = UnitOf(options), .top = top, .width = look.columns});
}

std::string TextReport(const Profile& profile, const Output& output,
                       const Options& options, Diagnostics& diagnostics) {
  if (options.thread == "*") return TextOfEachThread(profile, options);
  const FlatTable table =
      MakeFlatTable(profile, {.metric = options.metric,
                              .sort_by_cumulative = options.sort_by_cumulative,
                              .labels = LabelsOf(options)});
  const Look look = LookOf(output, options);
  const size_t top = LineLimit(look, options);
  NoteMoreRows(table.rows.size(), top, options, diagnostics);
  return WriteText(table, {.unit = UnitOf(options),
                           .top = top,
                           .heading = look.terminal,
                           .thread = ThreadTitle(options.thread),
                           .width = look.columns,
                           .color = look.color});
}

void NoteShrunk(double shrunk, const Options& options,
                Diagnostics& diagnostics) {
  if (shrunk > 0)
    diagnostics.Note(fmt::format("what shrank is not in the output: {}",
                                 FormatAmount(shrunk, UnitOf(options))));
}

// Which of the nodes --peek asks for.
Result<std::set<std::string>> PeekedNames(const Profile& profile,
                                          const CallGraph& graph,
                                          const Options& options) {
  auto pattern = NamePattern::Compile(OutputMode::kPeek, options);
  if (!pattern) return std::unexpected(pattern.error());
  const FrameLabels labels(profile, LabelsOf(options));
  const std::vector<bool> wanted = MatchingLabels(
      profile, labels,
      [&](std::string_view name) { return pattern->Matches(name); });
  std::set<std::string> names;
  for (uint32_t id = 0; id < labels.size(); ++id)
    if (wanted[id]) names.insert(labels.Text(id));
  const bool any_matches = std::ranges::any_of(
      graph.nodes,
      [&](const GraphNode& node) { return names.contains(node.name); });
  if (auto ok = pattern->Check(any_matches); !ok)
    return std::unexpected(ok.error());
  return names;
}

Result<std::string> TreeReport(const Profile& profile, const Output& output,
                               const Options& options,
                               Diagnostics& diagnostics) {
  const CallGraph graph = MakeCallGraph(profile, {.metric = options.metric,
                                                  .labels = LabelsOf(options),
                                                  .limits = {0, 0, 0, 0}});
  CallersCalleesOptions shown = {.sort_by_cumulative =
                                     options.sort_by_cumulative};
  std::set<std::string> names;
  if (output.mode == OutputMode::kPeek) {
    auto peeked = PeekedNames(profile, graph, options);
    if (!peeked) return std::unexpected(peeked.error());
    names = std::move(*peeked);
    shown.matches = [&names](const std::string& name) {
      return names.contains(name);
    };
  }
  const Look look = LookOf(output, options);
  shown.top = RowLimit(look, options);
  const CallersCalleesTable table = MakeCallersCalleesTable(graph, shown);
  NoteMoreRows(table.all_rows, shown.top, options, diagnostics);
  return WriteTree(table, UnitOf(options), look.columns);
}

std::string TracesReport(const Profile& profile, const Output& output,
                         const Options& options, Diagnostics& diagnostics) {
  TraceTable table = MakeTraces(profile, options.metric, LabelsOf(options));
  const Look look = LookOf(output, options);
  const size_t top = RowLimit(look, options);
  NoteMoreRows(table.traces.size(), top, options, diagnostics);
  if (top != 0 && table.traces.size() > top) table.traces.resize(top);
  return WriteTraces(table, UnitOf(options), look.columns);
}

std::string CollapsedReportText(const Profile& profile, const Options& options,
                                Diagnostics& diagnostics) {
  const StackTable table =
      MakeStackTable(profile, options.metric, options.granularity);
  if (options.two_columns) return WriteTwoColumns(table);
  CollapsedReport report = WriteCollapsed(table);
  NoteShrunk(report.shrunk, options, diagnostics);
  return std::move(report.text);
}

std::string CallgrindReport(const Profile& profile, const Options& options,
                            Diagnostics& diagnostics) {
  const CallCosts costs =
      MakeCallCosts(profile, options.metric, LabelsOf(options).names);
  NoteShrunk(costs.shrunk, options, diagnostics);
  return WriteCallgrind(
      costs, {.creator = "heapprof " HEAPPROF_VERSION,
              .command = std::string(profile.String(profile.main_binary)),
              .event = MetricName(options.metric)});
}

std::string RawReportText(const Profile& profile, Diagnostics& diagnostics) {
  RawReport report = WriteRaw(profile);
  if (report.rounded)
    diagnostics.Note(
        "the values were not recorded with one sampling period: they are "
        "written in whole bytes, without threads");
  return std::move(report.text);
}

Result<std::string> DotReport(const Profile& profile, const Output& output,
                              const Options& options) {
  const CallGraph graph = MakeCallGraph(profile, {.metric = options.metric,
                                                  .labels = LabelsOf(options),
                                                  .limits = options.graph});
  if (graph.nodes.empty())
    return Fail(ErrorKind::kNoData,
                graph.hidden_nodes == 0
                    ? "nothing to draw: no function holds anything"
                    : "nothing to draw: no function is above --nodefraction");
  const std::string_view program = profile.String(profile.main_binary);
  return WriteDot(
      graph, {.title = std::string(program.empty() ? "heap profile" : program),
              .unit = UnitOf(options),
              .mark_leaks = options.mark_leaks,
              .fit_page = output.mode == OutputMode::kPdf});
}

Result<std::string> Picture(const Profile& profile, const Output& output,
                            const Options& options) {
  const auto dot = DotReport(profile, output, options);
  if (!dot) return std::unexpected(dot.error());
  return DrawGraph(*dot, output.mode, profile.time_seconds);
}

}  // namespace

bool ShowsThreads(const Output& output) {
  return output.mode == OutputMode::kText ||
         output.mode == OutputMode::kThreads;
}

bool NeedsBothSides(const Output& output, const Options& options) {
  return (output.mode == OutputMode::kCollapsed && options.two_columns) ||
         (output.mode == OutputMode::kProto && !options.drop_negative);
}

Result<std::string> MakeReport(const Profile& profile,
                               const LoadedInputs& inputs,
                               const Symbolizer& symbolizer,
                               const Output& output, const Options& options,
                               Diagnostics& diagnostics) {
  switch (output.mode) {
    case OutputMode::kOverview:
      return OverviewReport(profile, inputs.first_dump, LookOf(output, options),
                            LabelsOf(options), options);
    case OutputMode::kText:
      return TextReport(profile, output, options, diagnostics);
    case OutputMode::kCollapsed:
      return CollapsedReportText(profile, options, diagnostics);
    case OutputMode::kProto:
      return WritePprof(profile, {.default_metric = options.metric,
                                  .comments = {"heapprof " HEAPPROF_VERSION}});
    case OutputMode::kRaw:
      return RawReportText(profile, diagnostics);
    case OutputMode::kTree:
    case OutputMode::kPeek:
      return TreeReport(profile, output, options, diagnostics);
    case OutputMode::kCallers:
    case OutputMode::kCallees:
      return CallTreeReport(profile, output.mode, LookOf(output, options),
                            options, diagnostics);
    case OutputMode::kSymbols:
      break;  // of addresses, not of a profile
    case OutputMode::kList:
      return ListReport(profile, options, UnitOf(options), diagnostics);
    case OutputMode::kDisasm:
      return DisasmReport(profile, symbolizer, options, UnitOf(options),
                          diagnostics);
    case OutputMode::kThreads:
      return ThreadsReport(profile, output, options, diagnostics);
    case OutputMode::kTraces:
      return TracesReport(profile, output, options, diagnostics);
    case OutputMode::kCallgrind:
      return CallgrindReport(profile, options, diagnostics);
    case OutputMode::kDot:
      return DotReport(profile, output, options);
    case OutputMode::kSvg:
    case OutputMode::kPdf:
    case OutputMode::kPs:
    case OutputMode::kPng:
    case OutputMode::kGif:
      return Picture(profile, output, options);
  }
  return "";
}

}  // namespace heapprof
