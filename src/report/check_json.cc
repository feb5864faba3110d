// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "heapprof/report/check.h"
#include "heapprof/view/metric_words.h"
#include "report/json_parts.h"

namespace heapprof {
namespace {

constexpr int kIndent = 2;

// Returns a factor without the digits that depend on the order in which the
// samples were added up.
double Rounded(double factor) {
  constexpr double kSteps = 1e6;
  return std::round(factor * kSteps) / kSteps;
}

Json LimitObject(const std::optional<ParsedLimit>& growth) {
  if (!growth) return nullptr;
  const GrowthLimit& limit = growth->limit;
  return {{"ratio", limit.ratio}, {"plus", WholeNumber(limit.bytes)}};
}

Json LimitObject(const std::optional<ParsedSize>& size) {
  return size ? Json(WholeNumber(size->value)) : Json();
}

Json LimitsObject(const CheckSettings& settings) {
  return {{"max_total", LimitObject(settings.max_total)},
          {"max_total_growth", LimitObject(settings.max_total_growth)},
          {"max_growth", LimitObject(settings.max_growth)},
          {"max_new", LimitObject(settings.max_new)}};
}

Json DumpObject(const ComparedDump& dump) {
  Json object = Json::object();
  AddText("path", dump.path, object);
  object["time_seconds"] =
      dump.time_seconds == 0 ? Json() : Json(dump.time_seconds);
  AddText("program", dump.program, object);
  AddText("build_id", dump.build_id, object);
  return object;
}

Json SideObject(const CheckReport& report, Side which) {
  const ComparedSide& side = report.comparison.sides[which];
  const bool is_absent = report.dumps[which].empty();
  Json dumps = Json::array();
  for (const ComparedDump& dump : report.dumps[which])
    dumps.push_back(DumpObject(dump));
  return {{"dumps", std::move(dumps)},
          {"runs", is_absent ? 0 : side.runs},
          {"sampling_period", is_absent ? Json() : OrNull(side.period)},
          {"is_exact", !is_absent && side.is_exact},
          {"dispersion", Rounded(side.dispersion)}};
}

// Adds the values before and after, and their difference. If the check has no
// base, the value before and the difference are unknown and therefore null.
void AddValues(const CheckReport& report, const ComparisonEntry& entry,
               Json& object) {
  const int64_t before = WholeNumber(entry.growth.base.mean.value);
  const int64_t after = WholeNumber(entry.growth.now.mean.value);
  const bool has_base = report.HasBase();
  const bool has_error = entry.interval.lower != entry.interval.upper;
  object["before"] = has_base ? Json(before) : Json();
  object["after"] = after;
  object["change"] = has_base ? Json(after - before) : Json();
  object["interval"] =
      has_base && has_error
          ? IntervalObject(entry.interval, report.comparison.confidence)
          : Json();
}

Json EntryObject(const ComparisonEntry& entry) {
  Json object = Json::object();
  AddText("name", entry.name, object);
  AddText("key", entry.key, object);
  AddText("file", entry.file, object);
  object["line"] = OrNull(entry.line);
  object["is_new"] = entry.is_new;
  return object;
}

Json PathArray(const std::vector<std::string>& path) {
  Json array = Json::array();
  for (const std::string& name : path) {
    Json& caller = array.emplace_back(Json::object());
    AddText("name", name, caller);
  }
  return array;
}

Json FindingObject(const CheckReport& report, const CheckFinding& finding) {
  const ComparisonEntry& entry = report.SubjectOf(finding);
  Json object = {{"rule", finding.rule},
                 {"verdict", VerdictName(finding.verdict)},
                 {"entry", finding.entry ? EntryObject(entry) : Json()}};
  if (finding.kind != FindingKind::kExpiredIgnore) {
    AddValues(report, entry, object);
    object["allowed"] = WholeNumber(finding.allowed);
    object["excess"] = {{"lower", WholeNumber(finding.lower_bound)},
                        {"upper", WholeNumber(finding.upper_bound)}};
  }
  object["path"] = PathArray(finding.path);
  AddText("note", finding.note, object);
  return object;
}

Json FindingList(const CheckReport& report,
                 const std::vector<CheckFinding>& findings) {
  Json array = Json::array();
  for (const CheckFinding& finding : findings)
    array.push_back(FindingObject(report, finding));
  return array;
}

Json DetectableList(const std::vector<Detectable>& rows) {
  constexpr const char* kSubjects[] = {"total", "typical_entry", "new_entry"};
  Json array = Json::array();
  for (const Detectable& row : rows)
    array.push_back({{"subject", kSubjects[static_cast<size_t>(row.subject)]},
                     {"before", WholeNumber(row.base)},
                     {"allowed_growth", WholeNumber(row.allowed_growth)},
                     {"detectable_growth", WholeNumber(row.growth)},
                     {"more_samples", row.more_samples},
                     {"lg_prof_sample",
                      row.lg_prof_sample ? Json(*row.lg_prof_sample) : Json()},
                     {"runs", row.runs ? Json(*row.runs) : Json()}});
  return array;
}

}  // namespace

std::string WriteCheckJson(const CheckReport& report) {
  const CheckResult& result = report.result;
  Json total = Json::object();
  AddValues(report, report.comparison.total, total);
  const Json root = {{"schema", "heapprof.check"},
                     {"schema_version", kCheckSchemaVersion},
                     {"verdict", VerdictName(result.verdict)},
                     {"metric", MetricName(report.comparison.metric)},
                     {"by", CompareByName(report.comparison.by)},
                     {"confidence", report.budgets.settings.Confidence()},
                     {"noise", NoiseModeName(report.budgets.settings.Noise())},
                     {"limits", LimitsObject(report.budgets.settings)},
                     {"base", SideObject(report, Side::kBase)},
                     {"new", SideObject(report, Side::kNew)},
                     {"total", total},
                     {"tested", result.tested},
                     {"untested", result.untested},
                     {"explained", result.explained},
                     {"totals", FindingList(report, result.totals)},
                     {"findings", FindingList(report, result.findings)},
                     {"ignored", FindingList(report, result.ignored)},
                     {"detectable", DetectableList(report.detectable)}};
  return Serialized(root, kIndent) + '\n';
}

std::string WriteCheckErrorJson(std::string_view error) {
  return Serialized(NotJudged("heapprof.check", kCheckSchemaVersion, error),
                    kIndent) +
         '\n';
}

}  // namespace heapprof
