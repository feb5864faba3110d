// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "heapprof/base/nanoseconds.h"
#include "heapprof/report/trend.h"
#include "heapprof/view/metric_words.h"
#include "report/json_parts.h"
#include "report/trend_sentences.h"

namespace heapprof {
namespace {

constexpr int kTrendSchemaVersion = 1;

// Null for a row of a single dump.
Json RateObject(const TrendRow& row, const Slope& slope) {
  if (!row.HasRate()) return {};
  const auto [lower, upper] =
      WholeBounds(ConfidenceInterval(slope, kConfidence));
  return {
      {"value", WholeNumber(slope.value)}, {"lower", lower}, {"upper", upper}};
}

// Adds the value of each dump, and its bounds.
void AddPoints(const TrendRow& row, Json& object) {
  Json values = Json::array(), lower = Json::array(), upper = Json::array();
  for (const SeriesPoint& point : row.points) {
    const WholeInterval interval = WholeBounds(IntervalOf(point));
    values.push_back(WholeNumber(point.bytes.value));
    lower.push_back(interval.lower);
    upper.push_back(interval.upper);
  }
  object["values"] = std::move(values);
  object["lower"] = std::move(lower);
  object["upper"] = std::move(upper);
}

Json RowObject(const TrendTable& table, const TrendRow& row) {
  Json object = Json::object();
  AddText("name", row.name, object);
  AddText("key", row.key, object);
  AddText("file", row.file, object);
  object["line"] = OrNull(row.line);
  object["label"] = CourseName(table, row);
  object["rate"] = RateObject(row, row.trend.all);
  object["last_half"] = RateObject(row, row.trend.last_half);
  Json others = Json::object();
  for (const auto& [axis, slope] : row.other_rates)
    others[TrendAxisName(axis)] = RateObject(row, slope);
  object["other_rates"] = std::move(others);
  object["first"] = WholeNumber(row.first());
  object["last"] = WholeNumber(row.last());
  object["peak"] = WholeNumber(row.peak);
  AddPoints(row, object);
  return object;
}

Json DumpArray(const TrendTable& table) {
  Json dumps = Json::array();
  for (const TrendDump& dump : table.dumps) {
    Json& object = dumps.emplace_back(Json::object());
    AddText("path", dump.path, object);
    object["time_seconds"] = dump.time_ns == 0
                                 ? Json()
                                 : Json(static_cast<double>(dump.time_ns) /
                                        double{kNanosecondsPerSecond});
    object["allocated"] =
        dump.allocated == 0 ? Json() : Json(WholeNumber(dump.allocated));
  }
  return dumps;
}

Json FindingArray(const TrendSeries& series) {
  Json findings = Json::array();
  for (const TrendFinding& finding : series.judgement->findings) {
    const TrendRow& row =
        finding.row ? series.table.rows[*finding.row] : series.table.total;
    Json& object = findings.emplace_back(Json::object());
    AddText("name", row.name, object);
    object["verdict"] = VerdictName(finding.verdict);
    object["lower_bound"] = WholeNumber(std::floor(finding.lower_bound));
  }
  return findings;
}

Json StoryArray(const std::vector<StoryChain>& story) {
  Json chains = Json::array();
  for (const StoryChain& chain : story) {
    Json& object = chains.emplace_back(Json::object());
    object["frames"] = NamedObjects(chain.frames);
    AddText("file", chain.file, object);
    object["line"] = OrNull(chain.line);
    object["change"] = {{"value", WholeNumber(chain.value())},
                        {"interval", IntervalObject(chain.cell.interval)}};
    object["part_of"] = chain.part_of ? Json(*chain.part_of) : Json();
  }
  return chains;
}

Json SeriesObject(const TrendSeries& series) {
  const TrendTable& table = series.table;
  Json object = Json::object();
  AddText("process", series.name, object);
  AddText("program", series.program, object);
  object["summary"] = TrendSentence(table);
  object["story"] = StoryArray(series.story);
  object["per"] = TrendAxisName(table.axis);
  object["sampling_period"] = OrNull(table.sampling_period);
  object["verdict"] =
      series.judgement ? Json(VerdictName(series.judgement->verdict)) : Json();
  object["findings"] = series.judgement ? FindingArray(series) : Json::array();
  object["dumps"] = DumpArray(table);
  object["total"] = RowObject(table, table.total);
  Json rows = Json::array();
  for (const TrendRow& row : table.rows) rows.push_back(RowObject(table, row));
  object["rows"] = std::move(rows);
  object["small_rows"] = table.small;
  return object;
}

}  // namespace

std::string WriteTrendJson(const TrendReport& report) {
  Json series = Json::array();
  for (const TrendSeries& one : report.series)
    series.push_back(SeriesObject(one));
  const TrendTable* table =
      report.series.empty() ? nullptr : &report.series.front().table;
  const Json root = {
      {"schema", "heapprof.trend"},
      {"schema_version", kTrendSchemaVersion},
      {"metric", table ? Json(MetricName(table->metric)) : Json()},
      {"by", table ? Json(TrendByName(table->by)) : Json()},
      {"confidence", kConfidence},
      {"limit", report.limit ? Json(report.limit->text) : Json()},
      {"verdict",
       report.limit ? Json(VerdictName(report.WorstVerdict())) : Json()},
      {"series", std::move(series)}};
  return Serialized(root) + '\n';
}

std::string WriteTrendErrorJson(std::string_view error) {
  return Serialized(NotJudged("heapprof.trend", kTrendSchemaVersion, error)) +
         '\n';
}

}  // namespace heapprof
