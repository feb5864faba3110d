// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/show_trend.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/args/usage_error.h"
#include "cli/commands/series_names.h"
#include "cli/inputs/metrics.h"
#include "cli/inputs/read_series.h"
#include "cli/inputs/rss_files.h"
#include "cli/outputs/each_messages.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/module_info.h"
#include "cli/outputs/next_commands.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/transform_profile.h"
#include "cli/outputs/write_outputs.h"
#include "cli/system/terminal.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/check/gates.h"
#include "heapprof/explain/waterfall.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/report/trend.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/view/series_growth.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// What rows are, and to which row each stack is charged.
struct Charges {
  CompareBy by = CompareBy::kFunction;
  CallsOfStacks calls = {};  // empty for stacks and threads
  std::string heading = {};
};

Charges ChargesOf(const Profile& profile, const Options& options) {
  const TrendBy by = options.trend.By();
  switch (by) {
    case TrendBy::kStack:
      return {.by = CompareBy::kStack, .heading = "stack"};
    case TrendBy::kThread:
      return {.by = CompareBy::kThread, .heading = "thread"};
    case TrendBy::kGroup:
      return {.by = CompareBy::kGroup, .heading = "group"};
    case TrendBy::kModule:
      return {CompareBy::kModule, LeafCalls(profile), "module"};
    case TrendBy::kFunction:
      return {CompareBy::kFunction, LeafCalls(profile),
              "function that allocates"};
    default:
      break;
  }
  const bool is_file = by == TrendBy::kFile;
  const CompareBy compared = is_file ? CompareBy::kFile : CompareBy::kFunction;
  CallsOfStacks calls = OwnCalls(profile, options);
  if (ChargesAny(calls, profile))
    return {compared, std::move(calls),
            is_file ? "file of your code" : "function of your code"};
  return {compared, LeafCalls(profile),
          is_file ? "file" : "function that allocates"};
}

std::string NameOf(const CollectedSeries& series) {
  if (!series.process.empty()) return std::string(BaseName(series.process));
  if (!series.program.empty()) return std::string(BaseName(series.program));
  return std::string(BaseName(series.dumps.front().path));
}

// Returns what rates refer to. Adds a note if the times of the files are
// unlikely to be those of the dumps.
Result<TrendAxis> AxisOf(const std::vector<TrendDump>& dumps,
                         const TrendChoices& choices, Diagnostics& notes) {
  const std::optional<TrendAxis> asked =
      choices.limit ? choices.limit->axis : choices.axis;
  const TrendAxis usual = DefaultAxis(dumps);
  if (!asked || dumps.size() < 2) return usual;
  if (HasAxis(dumps, *asked)) {
    if (*asked == TrendAxis::kHours && usual != *asked)
      notes.Note(
          "all dumps were written within a minute, by the times of the files; "
          "if these were copied without their times (cp -p), rates per hour "
          "are wrong");
    return *asked;
  }
  return Fail(ErrorKind::kNoData,
              *asked == TrendAxis::kHours
                  ? "the times of the files do not increase from dump to dump, "
                    "so no rate per hour can be told; use a rate per dump, or "
                    "copy files with their times (cp -p)"
                  : "the dumps do not say how much was allocated, so no rate "
                    "per GiB can be told: run the program with "
                    "MALLOC_CONF=prof_accum:true");
}

// Fails if most of the memory has no names and was removed for that by filters:
// the gate would pass, though it may be this code that grows.
Result<void> RefuseNameless(const Profile& profile,
                            const std::vector<FilterEffect>& filters,
                            Metric metric, std::string_view name) {
  const double percent =
      RemovedPercent(profile, Side::kNew, metric, RemovedNameless(filters));
  if (percent <= kMostRemovedPercent) return {};
  return Fail(
      ErrorKind::kNoData,
      fmt::format("{}: {} has no names, so the filters may have removed "
                  "what they ask for; see heapprof info",
                  name, FormatShare(percent)));
}

// Empties `collected`, except for the profile, which then has what filters
// leave. Adds to `notes` what filters removed, what has no names, and which
// times are doubtful.
Result<TrendSeries> MakeSeries(CollectedSeries& collected,
                               const Options& options, Session& session,
                               Diagnostics& notes) {
  Snapshots& snapshots = collected.snapshots;
  if (auto named = NameFrames(snapshots.profile, session); !named)
    return std::unexpected(named.error());
  const auto filters = TransformProfile(
      snapshots.profile, options, NothingToShow::kNoValue, session.diagnostics);
  if (!filters) return std::unexpected(filters.error());
  notes.Note(FilterSummary(*filters, UnitOf(options)));
  if (options.trend.limit)
    if (auto named = RefuseNameless(snapshots.profile, *filters, options.metric,
                                    NameOf(collected));
        !named)
      return std::unexpected(named.error());
  const ModuleTable modules = MakeModuleTable(
      snapshots.profile, options.metric,
      ModuleInfosOf(snapshots.profile, *session.symbolizer, false));
  WarnOfDoubtfulNames(modules, session.diagnostics);
  notes.Note(CoverageNote(snapshots.profile, modules, options));
  Charges charges = ChargesOf(snapshots.profile, options);
  for (size_t i = 0; i < collected.dumps.size(); ++i)
    collected.dumps[i].allocated = snapshots.dumps[i].allocated;
  const auto axis = AxisOf(collected.dumps, options.trend, notes);
  if (!axis) return std::unexpected(axis.error());
  TrendSeries series = {
      .name = NameOf(collected),
      .program = collected.program,
      .table = MakeTrendTable(snapshots, std::move(collected.dumps),
                              {.by = charges.by,
                               .names = LabelsOf(options).names,
                               .calls = std::move(charges.calls),
                               .heading = std::move(charges.heading),
                               .axis = *axis})};
  if (Grows(series.table))
    series.story = StoryOf(CompareEnds(snapshots), options);
  if (options.trend.limit)
    series.judgement = JudgeTrend(series.table, *options.trend.limit);
  return series;
}

// Says what is known of dumps that are the only one of their process.
void NoteSingles(std::vector<CollectedSeries>& all, Session& session) {
  const auto is_single = [](const CollectedSeries& series) {
    return series.dumps.size() < 2;
  };
  const auto singles = std::ranges::count_if(all, is_single);
  if (singles == 0 || all.size() == 1) return;
  const auto first = std::ranges::find_if(all, is_single);
  session.diagnostics.Note(fmt::format(
      "{} with only one dump, such as {}, {} no trend",
      Counted(static_cast<uint64_t>(singles), "process", "processes"),
      first->dumps.front().path, singles == 1 ? "has" : "have"));
  if (static_cast<size_t>(singles) < all.size()) std::erase_if(all, is_single);
}

Result<std::vector<TrendSeries>> ReadStackTrend(
    const SeriesArguments& arguments, Options& options, Session& session) {
  LoadedInputs binaries;
  binaries.binaries = arguments.binaries;
  binaries.folder_files = arguments.folder_files;
  if (auto made = MakeSymbolizer(options, binaries, session); !made)
    return std::unexpected(made.error());
  auto all = ReadSeries(
      arguments.dumps,
      [&](const std::string&, Profile& profile) {
        return FindBinariesOf(options, binaries, profile, session);
      },
      options, session.diagnostics);
  if (!all) return std::unexpected(all.error());
  NoteSingles(*all, session);
  std::vector<TrendSeries> made;
  bool has_samples = false;
  EachMessages messages(options.verbose, "more process", "more processes");
  for (CollectedSeries& collected : *all) {
    Diagnostics notes;
    auto series = MakeSeries(collected, options, session, notes);
    if (!series) return std::unexpected(series.error());
    if (all->size() == 1)
      session.diagnostics.Merge(notes);
    else
      messages.Add(series->name, notes);
    made.push_back(*std::move(series));
    has_samples |= HasValue(collected.snapshots.profile, options.metric);
  }
  for (std::string& message : std::move(messages).Take())
    session.diagnostics.Note(std::move(message));
  if (options.trend.limit && !has_samples)
    return Fail(ErrorKind::kNoData, "trend: the filters leave no samples");
  return made;
}

// The lines of the RSS in each dump.
TrendSeries MakeRssSeries(const CollectedSeries& collected,
                          const RssMoments& moments, TrendAxis axis,
                          Session& session) {
  std::vector<WaterfallInputs> inputs;
  for (const TrendDump& dump : collected.dumps)
    inputs.push_back(moments.at(dump.path));
  if (KeepWhatAllTell(inputs))
    session.diagnostics.Note(fmt::format(
        "{}: some dumps lack files; all are divided only into the lines that "
        "all tell apart",
        NameOf(collected)));
  CountedRow total;
  std::map<LineKind, CountedRow> rows;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto waterfall = MakeWaterfall(inputs[i]);
    total.bytes.push_back(static_cast<double>(waterfall->total));
    for (const WaterfallLine& line : waterfall->lines) {
      CountedRow& row = rows[line.kind];
      row.bytes.resize(inputs.size());
      row.bytes[i] = static_cast<double>(line.bytes);
    }
  }
  std::vector<CountedRow> lines;
  for (auto& [kind, row] : rows) {
    row.key = NameOf(kind);
    row.name = LabelOf(kind);
    lines.push_back(std::move(row));
  }
  const bool is_rss = inputs.front().memory.has_value();
  return {.name = NameOf(collected),
          .program = collected.program,
          .table = MakeTrendTable(
              total, std::move(lines), "rss", collected.dumps,
              {.heading = is_rss ? "line of the RSS"
                                 : "line of jemalloc's resident memory",
               .axis = axis})};
}

Result<std::vector<TrendSeries>> ReadRssTrend(std::vector<std::string> dumps,
                                              Options& options,
                                              Session& session) {
  auto moments = ReadRssMoments(dumps, session.diagnostics);
  if (!moments) return std::unexpected(moments.error());
  // Of the dumps, only what they say about the whole heap is needed.
  auto all = ReadSeries(
      dumps,
      [&](const std::string& path, Profile& profile) -> Result<void> {
        WaterfallInputs& inputs = moments->at(path);
        inputs.dump = DescribeSamples(profile, SmallLimit(inputs.stats));
        profile.samples.clear();
        profile.thread_samples.clear();
        return {};
      },
      options, session.diagnostics);
  if (!all) return std::unexpected(all.error());
  NoteSingles(*all, session);
  std::vector<TrendSeries> series;
  for (const CollectedSeries& collected : *all) {
    const auto axis =
        AxisOf(collected.dumps, options.trend, session.diagnostics);
    if (!axis) return std::unexpected(axis.error());
    series.push_back(MakeRssSeries(collected, *moments, *axis, session));
    if (options.trend.limit)
      series.back().judgement =
          JudgeTrend(series.back().table, *options.trend.limit);
  }
  return series;
}

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

// The last dump that holds a good part of what the process held: it may have
// freed all before the last one.
const TrendDump& LastFullDump(const TrendTable& table) {
  constexpr double kGoodPart = 0.5;
  for (size_t i = table.dumps.size(); i-- > 0;)
    if (table.total.points[i].bytes.value >= kGoodPart * table.total.peak)
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

// The command that shows a dump of the first series if it is the worst, else of
// that which held most.
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
  return {command + ' ' + QuotedWord(LastFullDump(chosen->table).path)};
}

std::string WriteIn(const TrendOutput& output, const TrendReport& report,
                    const Options& options) {
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
  if (style.rows != 0) FitTrendText(report, style.rows, text);
  if (options.top) text.rows = *options.top;
  return WriteTrendText(report, text);
}

}  // namespace

Result<bool> NamesASeries(const Options& options) {
  const auto arguments = SortSeriesArguments(options);
  if (!arguments) return std::unexpected(arguments.error());
  return HasSeries(*arguments, options);
}

Result<void> ShowTrend(Options& options, Session& session) {
  const auto arguments = SortSeriesArguments(options);
  if (!arguments) return std::unexpected(arguments.error());
  if (arguments->dumps.empty()) return NoDump(options);
  if (options.trend.limit)
    if (auto readable = CheckNamedFiles(options); !readable) return readable;
  session.progress.Enter("reading the dumps");
  TrendReport report = {.limit = options.trend.limit};
  auto series = options.trend.By() == TrendBy::kRss
                    ? ReadRssTrend(arguments->dumps, options, session)
                    : ReadStackTrend(*arguments, options, session);
  if (!series) return std::unexpected(series.error());
  report.series = *std::move(series);
  TellSeriesApart(report.series);
  PutWorstFirst(report.series);
  report.commands = NextAfter(report.series, *arguments, options.trend.By());
  session.progress.Stop();
  for (const TrendOutput& output : options.trend.outputs)
    if (auto written = WriteReport(WriteIn(output, report, options),
                                   Output{.path = output.path});
        !written)
      return written;
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

}  // namespace heapprof
