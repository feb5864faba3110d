// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/stack_trend.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/passes.h"
#include "cli/commands/series_names.h"
#include "cli/commands/trend_series.h"
#include "cli/outputs/each_messages.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/module_info.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/transform_profile.h"
#include "cli/outputs/write_outputs.h"
#include "heapprof/check/gates.h"
#include "heapprof/check/trend_gate.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/own_code.h"
#include "heapprof/view/series_growth.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Returns the calls to which stacks are charged; none if rows are stacks,
// threads or groups.
ChargedCalls ChargesOf(const Profile& profile, const OwnCode& own,
                       const Options& options) {
  switch (options.trend.By()) {
    case TrendBy::kStack:
      return {{}, "stack"};
    case TrendBy::kThread:
      return {{}, "thread"};
    case TrendBy::kGroup:
      return {{}, "group"};
    case TrendBy::kModule:
      return {LeafCalls(profile), "module"};
    case TrendBy::kFunction:
      return {LeafCalls(profile), "function that allocates"};
    case TrendBy::kFile:
      return OwnOrLeafCalls(profile, own, options, "file");
    case TrendBy::kOwn:
    case TrendBy::kRss:  // has no stacks
      break;
  }
  return OwnOrLeafCalls(profile, own, options, "function");
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

struct MadeSeries {
  TrendSeries series;
  bool has_samples = false;  // after filters
};

// Empties `collected`. Adds to `notes` what filters removed, what has no names,
// and which times are doubtful.
Result<MadeSeries> MakeSeries(CollectedSeries& collected,
                              const Options& options, Session& session,
                              Diagnostics& notes) {
  Snapshots& snapshots = collected.snapshots;
  if (auto named = NameFrames(snapshots.profile, session); !named)
    return std::unexpected(named.error());
  const auto stacks = TransformProfile(
      snapshots.profile, options, NothingToShow::kNoValue, session.diagnostics);
  if (!stacks) return std::unexpected(stacks.error());
  notes.Note(FilterSummary(stacks->effects, UnitOf(options)));
  if (options.trend.limit)
    if (auto named = RefuseNameless(snapshots.profile, stacks->effects,
                                    options.metric, NameOf(collected));
        !named)
      return std::unexpected(named.error());
  const ModuleTable modules =
      ModulesOf(snapshots.profile, *session.symbolizer, options);
  WarnOfDoubtfulNames(modules, session.diagnostics);
  notes.Note(CoverageNote(snapshots.profile, modules, options));
  ChargedCalls charged =
      ChargesOf(snapshots.profile, *stacks->own_code, options);
  const bool lacks_own_code =
      options.trend.By() == TrendBy::kOwn && !charged.is_own;
  for (size_t i = 0; i < collected.dumps.size(); ++i)
    collected.dumps[i].allocated = snapshots.dumps[i].allocated;
  const auto axis = AxisOf(collected.dumps, options.trend, notes);
  if (!axis) return std::unexpected(axis.error());
  TrendSeries series = {
      .name = NameOf(collected),
      .program = collected.program,
      .table = MakeTrendTable(
          snapshots, std::move(collected.dumps),
          {.by = lacks_own_code ? TrendBy::kFunction : options.trend.By(),
           .names = LabelsOf(options).names,
           .calls = std::move(charged.calls),
           .heading = std::move(charged.heading),
           .axis = *axis})};
  const bool has_samples = HasValue(snapshots.profile, options.metric);
  if (Grows(series.table))
    series.story =
        StoryOf(CompareEnds(std::move(snapshots)), *stacks->own_code, options);
  if (options.trend.limit)
    series.judgement = JudgeTrend(series.table, *options.trend.limit);
  return MadeSeries{std::move(series), has_samples};
}

}  // namespace

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
  std::vector<Diagnostics> notes(all->size());
  bool has_samples = false;
  for (CollectedSeries& collected : *all) {
    auto series = MakeSeries(collected, options, session, notes[made.size()]);
    if (!series) return std::unexpected(series.error());
    has_samples |= series->has_samples;
    made.push_back(std::move(series->series));
  }
  TellSeriesApart(made);
  EachMessages messages(options.verbose, "more process", "more processes");
  for (size_t i = 0; i < made.size(); ++i) {
    if (made.size() == 1)
      session.diagnostics.Merge(notes[i]);
    else
      messages.Add(made[i].name, notes[i]);
  }
  for (std::string& message : std::move(messages).Take())
    session.diagnostics.Note(std::move(message));
  if (options.trend.limit && !has_samples)
    return Fail(ErrorKind::kNoData, "trend: the filters leave no samples");
  return made;
}

}  // namespace heapprof
