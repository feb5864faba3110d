// SPDX-License-Identifier: Apache-2.0
//
// Comma-separated values (RFC 4180).
#include <string>
#include <string_view>

#include "heapprof/base/append_format.h"
#include "heapprof/base/printable.h"
#include "heapprof/report/trend.h"
#include "report/json_values.h"
#include "report/trend_sentences.h"

namespace heapprof {
namespace {

// A spreadsheet would compute what begins like a formula, and names may come
// from anybody: an apostrophe makes it text.
std::string QuotedField(std::string_view name) {
  std::string text = Printable(name);
  if (!text.empty() && std::string_view("=+-@").contains(text.front()))
    text.insert(0, 1, '\'');
  if (text.find_first_of(",\"") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// The fields are empty for a row of a single dump.
void AddSlope(const TrendRow& row, const Slope& slope, std::string& out) {
  if (!row.HasRate()) {
    out += ",,,";
    return;
  }
  const auto [lower, upper] =
      WholeBounds(ConfidenceInterval(slope, kConfidence));
  AppendFormat(out, ",{},{},{}", WholeNumber(slope.value), lower, upper);
}

void AddRow(const TrendSeries& series, const TrendRow& row, std::string& out) {
  AppendFormat(out, "{},{},{},{}", QuotedField(series.name),
               QuotedField(row.key), CourseName(series.table, row),
               TrendAxisName(series.table.axis));
  AddSlope(row, row.trend.all, out);
  AddSlope(row, row.trend.last_half, out);
  AppendFormat(out, ",{},{},{},{}\n", WholeNumber(row.first()),
               WholeNumber(row.last()), WholeNumber(row.peak),
               row.points.size());
}

}  // namespace

std::string WriteTrendCsv(const TrendReport& report) {
  std::string out =
      "process,name,label,per,rate,rate_lower,rate_upper,last_half_rate,"
      "last_half_lower,last_half_upper,first,last,peak,dumps\n";
  for (const TrendSeries& series : report.series) {
    AddRow(series, series.table.total, out);
    for (const TrendRow& row : series.table.rows) AddRow(series, row, out);
  }
  return out;
}

}  // namespace heapprof
