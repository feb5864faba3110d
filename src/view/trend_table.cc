// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/trend_table.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "heapprof/base/nanoseconds.h"
#include "heapprof/base/split.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/comparison.h"
#include "view/compared_entries.h"
#include "view/snapshot_sums.h"

namespace heapprof {
namespace {

double PositionOf(std::span<const TrendDump> dumps, size_t i, TrendAxis axis) {
  constexpr double kGigabyte = 0x1p30;
  switch (axis) {
    case TrendAxis::kHours:
      return static_cast<double>(dumps[i].time_ns - dumps[0].time_ns) /
             double{kNanosecondsPerHour};
    case TrendAxis::kGigabytes:
      return (dumps[i].allocated - dumps[0].allocated) / kGigabyte;
    default:
      return static_cast<double>(dumps[i].sequence - dumps[0].sequence);
  }
}

// Numbers dumps one after another if their own numbers do not rise.
void CompleteSequence(std::vector<TrendDump>& dumps) {
  const auto does_not_rise = [](const TrendDump& a, const TrendDump& b) {
    return a.sequence >= b.sequence;
  };
  if (std::ranges::adjacent_find(dumps, does_not_rise) == dumps.end()) return;
  for (size_t i = 0; i < dumps.size(); ++i) dumps[i].sequence = i;
}

// What grows in seconds says little about an hour, and what grows while a
// megabyte is allocated little about a gigabyte.
bool IsTelling(std::span<const TrendDump> dumps, TrendAxis axis) {
  constexpr double kLeastPart = 1.0 / 60;
  return HasAxis(dumps, axis) &&
         (axis == TrendAxis::kDumps ||
          PositionOf(dumps, dumps.size() - 1, axis) >= kLeastPart);
}

// Returns what an entry of a comparison must be to be a row.
CompareBy EntriesOf(TrendBy by) {
  switch (by) {
    case TrendBy::kStack:
      return CompareBy::kStack;
    case TrendBy::kModule:
      return CompareBy::kModule;
    case TrendBy::kFile:
      return CompareBy::kFile;
    case TrendBy::kThread:
      return CompareBy::kThread;
    case TrendBy::kGroup:
      return CompareBy::kGroup;
    case TrendBy::kOwn:
    case TrendBy::kFunction:
    case TrendBy::kRss:  // is counted
      break;
  }
  return CompareBy::kFunction;
}

class TrendTableMaker {
 public:
  TrendTableMaker(std::vector<TrendDump> dumps, const TrendOptions& options) {
    table_ = {.by = options.by,
              .heading = options.heading,
              .axis = options.axis.value_or(DefaultAxis(dumps)),
              .dumps = std::move(dumps)};
    CompleteSequence(table_.dumps);
    at_ = PositionsOf(table_.axis);
    for (const TrendAxis axis :
         {TrendAxis::kHours, TrendAxis::kDumps, TrendAxis::kGigabytes}) {
      if (axis == table_.axis || !IsTelling(table_.dumps, axis)) continue;
      table_.other_axes.push_back(axis);
      other_positions_.push_back(PositionsOf(axis));
    }
  }

  TrendTable Make(const Snapshots& snapshots, const TrendOptions& options) && {
    table_.metric = snapshots.metric;
    for (const Snapshot& dump : snapshots.dumps)
      table_.sampling_period =
          std::max(table_.sampling_period, dump.run.sampling_period);
    const CompareBy by = EntriesOf(options.by);
    ComparedEntries found =
        FindEntries(snapshots.profile, {.metric = snapshots.metric,
                                        .by = by,
                                        .names = options.names,
                                        .calls = options.calls});
    const SnapshotSums sums = SumSnapshots(snapshots, by, found);
    const auto measured = [&](std::span<const Estimate> values, Extent extent) {
      return Measured(snapshots, sums.repetitions, values, extent);
    };
    SetTotal(measured(sums.total, Extent::kTotal));
    const Extent extent =
        by == CompareBy::kThread ? Extent::kThread : Extent::kEntry;
    for (size_t i = 0; i < found.entries.size(); ++i)
      AddRow({.key = std::move(found.entries[i].key),
              .name = std::move(found.entries[i].name),
              .file = std::move(found.entries[i].file),
              .line = found.entries[i].line},
             measured(sums.entries[i], extent));
    return Finish();
  }

  TrendTable Make(const CountedRow& total, std::vector<CountedRow> rows) && {
    SetTotal(Exact(total.bytes));
    for (CountedRow& row : rows)
      AddRow({.key = std::move(row.key), .name = std::move(row.name)},
             Exact(row.bytes));
    return Finish();
  }

 private:
  std::vector<double> PositionsOf(TrendAxis axis) const {
    std::vector<double> positions;
    for (size_t i = 0; i < table_.dumps.size(); ++i)
      positions.push_back(PositionOf(table_.dumps, i, axis));
    // Dumps that are written at the same time may end in another order.
    for (size_t i = 1; i < positions.size(); ++i)
      positions[i] = std::max(positions[i], positions[i - 1]);
    return positions;
  }

  static std::vector<MeasuredSide> Exact(const std::vector<double>& numbers) {
    std::vector<MeasuredSide> values;
    for (const double number : numbers)
      values.push_back({.mean = {.value = number}});
    return values;
  }

  // Returns the values of the dumps, with what one missed sample stands for.
  static std::vector<MeasuredSide> Measured(
      const Snapshots& snapshots, std::span<const SampleRepetition> repetitions,
      std::span<const Estimate> values, Extent extent) {
    std::vector<MeasuredSide> measured;
    for (size_t i = 0; i < values.size(); ++i) {
      measured.push_back({.mean = values[i]});
      const uint64_t period = snapshots.dumps[i].run.sampling_period;
      if (!MayMissAllocations(period)) continue;
      const auto bytes = static_cast<double>(period);
      measured.back().missed =
          bytes * repetitions[i].Of(values[i], bytes, extent);
    }
    return measured;
  }

  void SetTotal(const std::vector<MeasuredSide>& values) {
    table_.total.key = table_.total.name = "total";
    SetPoints(values, table_.total);
  }

  // A row of counted bytes may be below 0 all the time.
  void SetPoints(const std::vector<MeasuredSide>& values, TrendRow& row) const {
    row.peak = values.front().mean.value;
    for (size_t i = 0; i < values.size(); ++i) {
      row.points.push_back({at_[i], values[i].mean, values[i].missed});
      row.peak = std::max(row.peak, values[i].mean.value);
    }
  }

  TrendTable Finish() {
    SetLabel(kTrendTail, table_.total);
    for (TrendRow& row : table_.rows) SetLabel(table_.TailOfRows(), row);
    SortRows();
    return std::move(table_);
  }

  void SetLabel(double tail, TrendRow& row) const {
    row.trend = FitTrend(row.points);
    row.label = LabelTrend(row.points, row.trend, tail);
    std::vector<SeriesPoint> points = row.points;
    for (size_t i = 0; i < other_positions_.size(); ++i) {
      for (size_t dump = 0; dump < points.size(); ++dump)
        points[dump].at = other_positions_[i][dump];
      row.other_rates.push_back({table_.other_axes[i], FitSlope(points)});
    }
  }

  void AddRow(TrendRow row, const std::vector<MeasuredSide>& values) {
    SetPoints(values, row);
    double largest = 0;
    for (const SeriesPoint& point : row.points)
      largest = std::max(largest, std::abs(point.bytes.value));
    if (largest < kLeastPeakShare * table_.total.peak)
      ++table_.small;
    else
      table_.rows.push_back(std::move(row));
  }

  void SortRows() {
    struct Rank {
      double score;
      size_t row;
    };
    std::vector<Rank> ranks;
    for (size_t i = 0; i < table_.rows.size(); ++i)
      ranks.push_back(
          {std::max(0.0, table_.rows[i].trend.LowerBound(kTrendTail)), i});
    std::ranges::sort(ranks, {}, [this](const Rank& rank) {
      const TrendRow& row = table_.rows[rank.row];
      return std::tuple(-rank.score, -row.peak, std::string_view(row.key));
    });
    std::vector<TrendRow> sorted;
    for (const Rank& rank : ranks)
      sorted.push_back(std::move(table_.rows[rank.row]));
    table_.rows = std::move(sorted);
  }

  TrendTable table_;
  std::vector<double> at_;
  std::vector<std::vector<double>> other_positions_;  // by other_axes
};

}  // namespace

std::string_view TrendByName(TrendBy by) {
  return ChoiceAt(kTrendByChoices, static_cast<size_t>(by));
}

std::string_view TrendAxisName(TrendAxis axis) {
  return ChoiceAt(kPerChoices, static_cast<size_t>(axis));
}

std::string_view TrendAxisUnit(TrendAxis axis) {
  constexpr std::string_view kUnits[] = {"/h", "/dump", "/GiB allocated"};
  return kUnits[static_cast<size_t>(axis)];
}

bool HasAxis(std::span<const TrendDump> dumps, TrendAxis axis) {
  if (axis == TrendAxis::kDumps) return true;
  if (dumps.size() < 2) return false;
  // How late a file may be complete.
  constexpr int64_t kInverted = kNanosecondsPerSecond;
  for (size_t i = 0; i < dumps.size(); ++i) {
    if (axis == TrendAxis::kHours && dumps[i].time_ns == 0) return false;
    if (axis == TrendAxis::kGigabytes && dumps[i].allocated == 0) return false;
    if (i > 0 && axis == TrendAxis::kHours &&
        dumps[i].time_ns < dumps[i - 1].time_ns - kInverted)
      return false;
  }
  return PositionOf(dumps, dumps.size() - 1, axis) > 0;
}

TrendAxis DefaultAxis(std::span<const TrendDump> dumps) {
  for (const TrendAxis axis : {TrendAxis::kHours, TrendAxis::kGigabytes})
    if (IsTelling(dumps, axis)) return axis;
  return TrendAxis::kDumps;
}

double TrendTable::TailOfRows() const {
  return kTrendTail / static_cast<double>(std::max<size_t>(1, rows.size()));
}

Interval IntervalOf(const SeriesPoint& point) {
  return ConfidenceInterval(MeasuredSide{point.bytes, point.missed},
                            kConfidence);
}

TrendTable MakeTrendTable(const Snapshots& snapshots,
                          std::vector<TrendDump> dumps,
                          const TrendOptions& options) {
  return TrendTableMaker(std::move(dumps), options).Make(snapshots, options);
}

TrendTable MakeTrendTable(const CountedRow& total, std::vector<CountedRow> rows,
                          std::vector<TrendDump> dumps,
                          const TrendOptions& options) {
  return TrendTableMaker(std::move(dumps), options)
      .Make(total, std::move(rows));
}

}  // namespace heapprof
