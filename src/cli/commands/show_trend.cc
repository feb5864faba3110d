// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/show_trend.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "cli/args/choose_outputs.h"
#include "cli/args/usage_error.h"
#include "cli/commands/rss_trend.h"
#include "cli/commands/stack_trend.h"
#include "cli/inputs/load.h"
#include "cli/inputs/read_series.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/write_documents.h"
#include "cli/system/terminal.h"
#include "heapprof/base/nearly_all.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/check/trend_gate.h"
#include "heapprof/report/trend.h"

namespace heapprof {
namespace {

// Fails if a file of the command line cannot be read. A gate would pass without
// it; a dump in a folder may have been removed since the folder was read.
Result<void> CheckNamedFiles(const Options& options) {
  for (const std::string& path : options.files)
    if (path != "-" && access(path.c_str(), R_OK) != 0)
      return Fail(ErrorKind::kIo,
                  fmt::format("{}: cannot open: {}", path,
                              std::generic_category().message(errno)));
  return {};
}

// The last dump before the process freed nearly all: it may have done so before
// the last one.
const TrendDump& LastFullDump(const TrendTable& table) {
  for (size_t i = table.dumps.size(); i-- > 0;)
    if (!IsNearlyNothing(table.total.points[i].bytes.value, table.total.peak))
      return table.dumps[i];
  return table.dumps.back();
}

// Texts and pages show only the first of many series, so what a gate has found
// and what grows must come first. Equal series keep their order, by time.
void PutWorstFirst(std::vector<TrendSeries>& all) {
  std::ranges::stable_sort(all, std::greater(), [](const TrendSeries& series) {
    return std::pair(
        series.judgement ? series.judgement->verdict : Verdict::kOk,
        Grows(series.table));
  });
}

// Says that there are no dumps. A folder stands for the files in it, but not
// for those of folders in it.
std::unexpected<Error> NoDump(const Options& options) {
  if (const auto taken = RefuseDumpAsPattern(options); !taken)
    return std::unexpected(taken.error());
  std::error_code error;
  for (const std::string& path : options.files)
    if (std::filesystem::is_directory(path, error))
      return UsageError(
          fmt::format("trend: no dump in {}; name the folders in it, as in "
                      "{}/*",
                      path, path));
  return UsageError(
      "trend: no dump given; usage: heapprof trend [options] "
      "[BINARY] DUMP...|FOLDER");
}

// The commands that show a dump of the first series if it is the worst, else of
// that which held most, and what has changed since its first dump.
std::vector<std::string> NextAfter(const std::vector<TrendSeries>& series,
                                   const SeriesArguments& arguments,
                                   TrendBy by) {
  const auto chosen =
      IsSuspect(series.front())
          ? series.begin()
          : std::ranges::max_element(series, {}, [](const TrendSeries& one) {
              return one.table.total.peak;
            });
  if (by == TrendBy::kRss) {
    const std::vector<TrendDump>& dumps = chosen->table.dumps;
    return {fmt::format("heapprof explain --base {} {}",
                        QuotedWord(dumps.front().path),
                        QuotedWord(dumps.back().path))};
  }
  std::string command = "heapprof";
  for (const std::string& file : arguments.BinaryArguments())
    command += ' ' + QuotedWord(file);
  const std::string& first = chosen->table.dumps.front().path;
  const std::string& last = LastFullDump(chosen->table).path;
  std::vector<std::string> commands = {command + ' ' + QuotedWord(last)};
  if (first != last)
    commands.push_back(fmt::format("{} --base {} {}", command,
                                   QuotedWord(first), QuotedWord(last)));
  return commands;
}

std::string WriteIn(const TrendOutput& output, const TrendReport& report,
                    const Options& options, const Diagnostics& diagnostics) {
  if (output.format == TrendFormat::kJson) return WriteTrendJson(report);
  if (output.format == TrendFormat::kCsv) return WriteTrendCsv(report);
  if (output.format == TrendFormat::kHtml)
    return WriteTrendHtml(report, HEAPPROF_VERSION);
  const TerminalStyle style = output.IsStandardOutput()
                                  ? StyleOfStandardOutput(options.color)
                                  : TerminalStyle();
  TrendTextOptions text = {.width = style.columns,
                           .most_sentences = ChainsOnScreen(style.rows),
                           .shortens_quiet = !options.top,
                           .color = style.color};
  if (style.rows != 0) {
    const size_t messages =
        LinesOfMessages(diagnostics, options, style.columns);
    FitTrendText(report, style.rows - std::min(style.rows, messages), text);
  }
  if (options.top) text.rows = *options.top;
  return WriteTrendText(report, text);
}

std::string WriteErrorIn(TrendFormat format, std::string_view error) {
  switch (format) {
    case TrendFormat::kJson:
      return WriteTrendErrorJson(error);
    case TrendFormat::kCsv:
      return WriteTrendCsv({});
    case TrendFormat::kHtml:
      return WriteTrendErrorHtml(error, HEAPPROF_VERSION);
    default:
      return WriteTrendErrorText(error);
  }
}

// Replaces the files of an earlier run, which would pass for those of this one.
void WriteTrendError(std::string_view error, const Options& options) {
  std::vector<Document> documents;
  for (const TrendOutput& output : options.trend.outputs)
    if (!output.IsStandardOutput() || output.format != TrendFormat::kText)
      documents.push_back({WriteErrorIn(output.format, error), output.path});
  // That this fails, too, would hide `error`.
  (void)WriteDocuments(documents);
}

Result<void> WriteTrend(Options& options, Session& session) {
  const auto arguments = SortSeriesArguments(options);
  if (!arguments) return std::unexpected(arguments.error());
  if (arguments->dumps.empty()) return NoDump(options);
  for (const std::string& folder : arguments->useless_folders)
    session.diagnostics.Note(
        fmt::format("no dump in {}; folders in it are not read", folder));
  if (options.trend.limit)
    if (auto readable = CheckNamedFiles(options); !readable) return readable;
  session.progress.Enter("reading the dumps");
  TrendReport report = {.limit = options.trend.limit};
  auto series = options.trend.By() == TrendBy::kRss
                    ? ReadRssTrend(arguments->dumps, options, session)
                    : ReadStackTrend(*arguments, options, session);
  if (!series) return std::unexpected(series.error());
  report.series = *std::move(series);
  PutWorstFirst(report.series);
  report.commands = NextAfter(report.series, *arguments, options.trend.By());
  session.progress.Stop();
  std::vector<Document> documents;
  for (const TrendOutput& output : options.trend.outputs)
    documents.push_back(
        {WriteIn(output, report, options, session.diagnostics), output.path});
  for (const auto& [format, path] : options.trend.outputs) {
    const auto index = static_cast<size_t>(format);
    session.diagnostics.Note(
        MisnamedNote(path, kTrendFormats[index], kTrendExtensions[index]));
  }
  if (auto written = WriteDocuments(documents); !written) return written;
  if (options.verbose) session.diagnostics.Note(session.progress.Times());
  if (!report.limit) return {};
  session.status = StatusOfTrend(report.WorstVerdict());
  // Files alone would leave a failed job without its reason.
  if (session.status != 0 &&
      std::ranges::none_of(options.trend.outputs,
                           &TrendOutput::IsStandardOutput))
    session.diagnostics.Note(TrendHeadline(report));
  return {};
}

}  // namespace

Result<bool> NamesASeries(const Options& options) {
  const auto arguments = SortSeriesArguments(options);
  if (!arguments) return std::unexpected(arguments.error());
  return HasSeries(*arguments, options);
}

Result<void> ShowTrend(Options& options, Session& session) {
  auto shown = WriteTrend(options, session);
  if (!shown && options.trend.limit)
    WriteTrendError(shown.error().message, options);
  return shown;
}

}  // namespace heapprof
