// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/info_json.h"

#include <nlohmann/json.hpp>

namespace heapprof {
namespace {

using Json = nlohmann::ordered_json;

Json OrNull(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

constexpr double kHundred = 100;

Json DumpObject(const Info& info) {
  return {{"path", info.dump.path},
          {"format", info.dump.format},
          {"written_by", OrNull(info.dump.produced_by)},
          {"time_seconds",
           info.time_seconds == 0 ? Json() : Json(info.time_seconds)},
          {"sampling_period",
           info.sampling_period == 0 ? Json() : Json(info.sampling_period)},
          {"has_memory_map", info.has_memory_map},
          {"is_symbolized", info.is_symbolized},
          {"stacks", info.stacks},
          {"threads", info.threads},
          {"files_of_no_use", info.dump.unused_files},
          {"program", OrNull(info.program)}};
}

Json TotalsObject(const Info& info) {
  Json totals = Json::object();
  for (const MetricTotal& total : info.totals) {
    Json bounds;
    if (total.interval)
      bounds = {{"lower", total.interval->lower},
                {"upper", total.interval->upper},
                {"confidence", kInfoConfidence}};
    totals[MetricName(total.metric)] = {{"value", total.value},
                                        {"interval", bounds},
                                        {"is_exact", total.is_exact}};
  }
  return totals;
}

Json ModuleObject(const ModuleRow& row) {
  Json tried = Json::array();
  for (const TriedFile& place : row.info.tried)
    tried.push_back({{"path", place.path}, {"outcome", place.outcome}});
  Json suggestions = Json::array();
  for (const Suggestion& suggestion : row.info.suggestions)
    suggestions.push_back({{"text", suggestion.text},
                           {"command", OrNull(suggestion.FullCommand())}});
  return {{"path", OrNull(row.path)},
          {"deleted", row.deleted},
          {"share", row.percent / kHundred},
          {"addresses", row.locations},
          {"unresolved_addresses", row.unresolved},
          {"stacks", row.stacks},
          {"unresolved_stacks", row.unresolved_stacks},
          {"value", row.value},
          {"unresolved_value", row.unresolved_value},
          {"file", OrNull(row.info.file)},
          {"wanted_build_id", OrNull(row.info.wanted_build_id)},
          {"build_id", OrNull(row.info.build_id)},
          {"return_addresses", row.info.return_addresses},
          {"after_call", row.info.after_call},
          {"debug_file", OrNull(row.info.debug_file)},
          {"dwarf_versions", row.info.dwarf_versions},
          {"tried", tried},
          {"problems", row.info.problems},
          {"missing", OrNull(row.info.reason)},
          {"remedies", suggestions},
          {"status", StatusName(row.status)},
          {"is_main_program", row.is_main_program},
          {"addresses_with_lines", row.with_lines},
          {"nameless_share", row.nameless_percent / kHundred}};
}

}  // namespace

std::string WriteInfoJson(const Info& info) {
  Json modules = Json::array();
  for (const ModuleRow& row : info.modules.rows)
    modules.push_back(ModuleObject(row));
  const Json root = {
      {"schema", "heapprof.info"},
      {"schema_version", kInfoSchemaVersion},
      {"dump", DumpObject(info)},
      {"totals", TotalsObject(info)},
      {"coverage",
       {{"metric", MetricName(info.modules.metric)},
        {"modules", info.modules.rows.size()},
        {"unresolved_modules", info.modules.unresolved},
        {"unresolved_share", info.modules.unresolved_percent / kHundred},
        {"nameless_share", info.modules.nameless_percent / kHundred},
        {"share_with_lines", info.modules.lined_percent / kHundred}}},
      {"modules", modules}};
  constexpr int kIndent = 2;
  return root.dump(kIndent, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace) +
         '\n';
}

}  // namespace heapprof
