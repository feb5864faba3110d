// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <nlohmann/json.hpp>

#include "heapprof/report/check.h"
#include "heapprof/view/info.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

using Json = nlohmann::ordered_json;

// Whole bytes, or objects: estimates are never exact to less.
int64_t Whole(double value) { return std::llround(value); }

Json OrNull(const std::string& text) {
  return text.empty() ? Json() : Json(ValidUtf8(text));
}

Json Strings(const std::vector<std::string>& texts) {
  Json array = Json::array();
  for (const std::string& text : texts) array.push_back(ValidUtf8(text));
  return array;
}

Json LimitObject(const std::optional<GrowthLimit>& limit) {
  if (!limit) return nullptr;
  return {{"ratio", limit->ratio}, {"plus", Whole(limit->bytes)}};
}

Json SizeOrNull(const std::optional<double>& size) {
  return size ? Json(Whole(*size)) : Json();
}

Json LimitsObject(const CheckLimits& limits) {
  return {{"max_total", SizeOrNull(limits.max_total)},
          {"max_total_growth", LimitObject(limits.total_growth)},
          {"max_growth", LimitObject(limits.entry_growth)},
          {"max_new", SizeOrNull(limits.new_entry)}};
}

Json SideObject(const CheckReport& report, Side which) {
  const auto index = static_cast<size_t>(which);
  const std::vector<ComparedDump>& dumps = report.dumps[index];
  const ComparedDump first =
      dumps.empty() ? ComparedDump{.path = {}} : dumps.front();
  Json files = Json::array();
  for (const ComparedDump& dump : dumps) files.push_back(ValidUtf8(dump.path));
  const ComparedSide& sampling = report.comparison.sides[index];
  return {{"files", files},
          {"program", OrNull(first.program)},
          {"build_id", OrNull(first.build_id)},
          {"runs", sampling.runs},
          {"sampling_period",
           sampling.period == 0 ? Json() : Json(sampling.period)},
          {"is_exact", sampling.is_exact},
          {"dispersion", sampling.dispersion}};
}

void AddValues(const ComparisonEntry& entry, Json& object) {
  object["before"] = Whole(entry.growth.base.mean.value);
  object["after"] = Whole(entry.growth.now.mean.value);
  object["change"] = Whole(entry.change);
  object["interval"] = {{"lower", Whole(entry.interval.lower)},
                        {"upper", Whole(entry.interval.upper)}};
}

Json FindingObject(const CheckReport& report, const CheckFinding& finding) {
  Json object = {{"rule", ValidUtf8(finding.rule)},
                 {"verdict", VerdictName(finding.verdict)},
                 {"entry", nullptr}};
  if (finding.entry) {
    const ComparisonEntry& entry = report.comparison.entries[*finding.entry];
    object["entry"] = {{"name", ValidUtf8(entry.name)},
                       {"key", ValidUtf8(entry.key)},
                       {"file", OrNull(entry.file)},
                       {"line", entry.line == 0 ? Json() : Json(entry.line)},
                       {"is_new", entry.is_new}};
  }
  if (!finding.is_expired_ignore) {
    AddValues(finding.entry ? report.comparison.entries[*finding.entry]
                            : report.comparison.total,
              object);
    object["allowed"] = Whole(finding.allowed);
    object["excess"] = {{"lower", Whole(finding.lower_bound)},
                        {"upper", Whole(finding.upper_bound)}};
  }
  object["path"] = Strings(finding.path);
  object["note"] = OrNull(finding.note);
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
                     {"before", Whole(row.base)},
                     {"allowed_growth", Whole(row.allowed_growth)},
                     {"detectable_growth", Whole(row.growth)},
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
  AddValues(report.comparison.total, total);
  const Json root = {{"schema", "heapprof.check"},
                     {"version", 1},
                     {"verdict", VerdictName(result.verdict)},
                     {"metric", MetricName(report.comparison.metric)},
                     {"by", CompareByName(report.comparison.by)},
                     {"confidence", report.options.confidence},
                     {"noise", NoiseModeName(report.options.noise)},
                     {"limits", LimitsObject(report.budget.limits)},
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
  constexpr int kIndent = 2;
  return root.dump(kIndent) + '\n';
}

}  // namespace heapprof
