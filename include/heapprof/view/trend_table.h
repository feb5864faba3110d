// SPDX-License-Identifier: Apache-2.0
//
// What grows in a series of dumps of one process: the rows of `heapprof trend`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/snapshots.h"
#include "heapprof/stats/interval.h"
#include "heapprof/stats/trend.h"
#include "heapprof/view/comparison_entries.h"

namespace heapprof {

// What a rate refers to.
enum class TrendAxis : uint8_t {
  kHours,
  kDumps,
  kGigabytes,  // allocated since the start of the process
};

// The words of --per and of JSON, in the order of the enumerators. --per also
// takes the units of limits, see FindTrendAxis().
inline constexpr std::string_view kPerChoices = "hour|dump|gib";
std::string_view TrendAxisName(TrendAxis axis);
// What follows a rate: "/h", "/dump", "/GiB allocated".
std::string_view TrendAxisUnit(TrendAxis axis);

struct TrendDump {
  std::string path;
  int64_t time_ns = 0;   // since 1970; 0 if unknown
  double allocated = 0;  // see Snapshot::allocated
  // Numbers the dumps of the process, some of which may be missing here. In a
  // TrendTable, it rises from dump to dump.
  uint64_t sequence = 0;
};

// Returns whether all dumps allow `axis`. Times cannot be used if they are
// equal or do not increase from dump to dump, as after copying files without
// their times.
bool HasAxis(std::span<const TrendDump> dumps, TrendAxis axis);
// Returns hours if the dumps allow them and cover a minute or more; else
// gigabytes if the dumps allow those and cover a sixtieth or more; else dumps.
TrendAxis DefaultAxis(std::span<const TrendDump> dumps);

// What a row is, in the order of the enumerators. kOwn: the innermost function
// of the user's own code; kRss: a line of the RSS, as in `heapprof explain`.
enum class TrendBy : uint8_t {
  kOwn,
  kFunction,
  kStack,
  kModule,
  kFile,
  kThread,
  kGroup,
  kRss
};
inline constexpr std::string_view kTrendByChoices =
    "own|function|stack|module|file|thread|group|rss";
std::string_view TrendByName(TrendBy by);

struct TrendRate {
  TrendAxis axis = TrendAxis::kDumps;
  Slope slope;
};

struct TrendRow {
  std::string key;   // as ComparisonEntry::key
  std::string name;  // as reports show it
  std::string file = {};
  uint32_t line = 0;
  std::vector<SeriesPoint> points = {};  // by dump
  Trend trend = {};
  std::vector<TrendRate> other_rates = {};  // by TrendTable::other_axes
  TrendLabel label = TrendLabel::kSteady;
  double peak = 0;

  double first() const { return points.front().bytes.value; }
  double last() const { return points.back().bytes.value; }
  // False for a single dump: `trend` and `other_rates` then mean nothing.
  bool HasRate() const { return points.size() > 1; }
};

// The probability that a bound of a rate is wrong by chance, on each side.
inline constexpr double kTrendTail = (1 - kConfidence) / 2;

inline constexpr double kLeastPeakShare = 0.001;

struct TrendTable {
  Metric metric = Metric::kInuseSpace;
  TrendBy by = TrendBy::kFunction;
  std::string heading;  // what the rows are: "function of your code"
  TrendAxis axis = TrendAxis::kHours;
  // The other axes that the dumps allow, but no hours for less than a minute.
  std::vector<TrendAxis> other_axes = {};
  std::vector<TrendDump> dumps = {};
  uint64_t sampling_period = 0;  // bytes, the longest of all dumps; 0 = unknown
  TrendRow total = {};
  // Those whose growth is proven come first, the fastest one before the others;
  // then those with the highest peak.
  std::vector<TrendRow> rows = {};
  // The number of rows that are left out, because their peaks are below
  // kLeastPeakShare of the total's.
  size_t small = 0;

  // The level of the bounds that decide on labels: with more rows, each one
  // needs more proof, so that none grows by chance.
  double TailOfRows() const;
};

// Returns the error bar of a dump's value.
Interval IntervalOf(const SeriesPoint& point);

struct TrendOptions {
  TrendBy by = TrendBy::kFunction;
  NameForm names = NameForm::kShort;
  // As ComparisonOptions::calls, for Snapshots::profile.
  CallsOfStacks calls = {};
  std::string heading = {};
  std::optional<TrendAxis> axis = {};  // unset: DefaultAxis()
};

// `dumps` describes the dumps of `snapshots`, whose frames have names. There
// must be at least one.
TrendTable MakeTrendTable(const Snapshots& snapshots,
                          std::vector<TrendDump> dumps,
                          const TrendOptions& options);

// A row of a trend of numbers that are no samples, and so have no errors.
struct CountedRow {
  std::string key = {};
  std::string name = {};
  std::vector<double> bytes = {};  // by dump; may be negative
};

// The same for rows that were counted, such as the lines of the RSS. Uses only
// what a row is, the heading and the axis of `options`.
TrendTable MakeTrendTable(const CountedRow& total, std::vector<CountedRow> rows,
                          std::vector<TrendDump> dumps,
                          const TrendOptions& options);

}  // namespace heapprof
