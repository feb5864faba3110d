// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/rss_trend.h"

#include <cstddef>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/series_names.h"
#include "cli/commands/trend_series.h"
#include "cli/inputs/read_series.h"
#include "cli/inputs/rss_files.h"
#include "heapprof/check/trend_gate.h"
#include "heapprof/explain/dump_samples.h"
#include "heapprof/explain/waterfall.h"

namespace heapprof {
namespace {

// The lines of the RSS in each dump.
TrendSeries MakeRssSeries(const CollectedSeries& collected,
                          const RssMoments& moments, TrendAxis axis,
                          Session& session) {
  std::vector<WaterfallInputs> inputs;
  for (const TrendDump& dump : collected.dumps)
    inputs.push_back(moments.at(dump.path));
  if (KeepWhatAllTell(inputs))
    session.diagnostics.Note(fmt::format(
        "{}: the files of some dumps say less than those of others: all are "
        "divided only into the lines that all tell apart",
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
              total, std::move(lines), collected.dumps,
              {.by = TrendBy::kRss,
               .heading = is_rss ? "line of the RSS"
                                 : "line of jemalloc's resident memory",
               .axis = axis})};
}

}  // namespace

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
  TellSeriesApart(series);
  return series;
}

}  // namespace heapprof
