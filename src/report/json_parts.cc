// SPDX-License-Identifier: Apache-2.0
#include "report/json_parts.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/report/can_write_json.h"
#include "heapprof/view/metric_words.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

constexpr double kHundred = 100;

std::string Hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes)
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

Json TriedArray(const std::vector<TriedFile>& places) {
  Json tried = Json::array();
  for (const TriedFile& place : places)
    tried.push_back({{"path", place.path}, {"outcome", place.outcome}});
  return tried;
}

Json SuggestionArray(const std::vector<Suggestion>& suggestions) {
  Json array = Json::array();
  for (const Suggestion& suggestion : suggestions)
    array.push_back({{"text", suggestion.text},
                     {"command", OrNull(suggestion.FullCommand())}});
  return array;
}

Json ModuleObject(const ModuleRow& row, bool has_dwarf) {
  const ModuleInfo& info = row.info;
  Json module = Json::object();
  AddText("path", row.path, module);
  module["deleted"] = row.deleted;
  module["is_main_program"] = row.is_main_program;
  module["status"] = StatusName(row.status);
  module["share"] = row.percent / kHundred;
  module["nameless_share"] = row.nameless_percent / kHundred;
  module["addresses"] = row.locations;
  module["unresolved_addresses"] = row.unresolved;
  module["addresses_with_lines"] = row.with_lines;
  module["stacks"] = row.stacks;
  module["unresolved_stacks"] = row.unresolved_stacks;
  module["value"] = WholeNumber(row.value);
  module["unresolved_value"] = WholeNumber(row.unresolved_value);
  AddText("file", info.file, module);
  module["wanted_build_id"] = OrNull(info.wanted_build_id);
  module["build_id"] = OrNull(info.build_id);
  module["return_addresses"] = info.return_addresses;
  module["after_call"] = info.after_call;
  AddText("debug_file", info.debug_file, module);
  AddText("index_file", info.index_file, module);
  module["is_assumed"] = info.is_assumed;
  if (has_dwarf) module["dwarf_versions"] = info.dwarf_versions;
  module["tried"] = TriedArray(info.tried);
  module["problems"] = info.problems;
  module["missing"] = OrNull(info.reason);
  module["suggestions"] = SuggestionArray(info.suggestions);
  return module;
}

}  // namespace

bool CanWriteJson() { return true; }

std::string Serialized(const Json& value, int indent) {
  return WithoutCommands(value.dump(indent, ' ', /*ensure_ascii=*/true,
                                    Json::error_handler_t::replace));
}

Json OrNull(std::string_view text) {
  return text.empty() ? Json() : Json(text);
}

Json OrNull(uint64_t number) { return number == 0 ? Json() : Json(number); }

void AddText(std::string_view key, std::string_view text, Json& object) {
  object[std::string(key)] = OrNull(text);
  if (!IsValidUtf8(text))
    object[fmt::format("{}_bytes", key)] = Hexadecimal(text);
}

void AddNewMember(std::string key, Json value, Json& object) {
  object.get_ref<Json::object_t&>().emplace_back(std::move(key),
                                                 std::move(value));
}

Json NamedObjects(std::span<const std::string> names) {
  Json objects = Json::array();
  for (const std::string& name : names)
    AddText("name", name, objects.emplace_back(Json::object()));
  return objects;
}

Json IntervalObject(const std::optional<Interval>& interval,
                    double confidence) {
  if (!interval) return nullptr;
  const auto [lower, upper] = WholeBounds(*interval);
  return {{"lower", lower}, {"upper", upper}, {"confidence", confidence}};
}

Json NotJudged(std::string_view schema, int version, std::string_view error) {
  Json root = {{"schema", schema},
               {"schema_version", version},
               {"verdict", "not judged"}};
  AddText("error", error, root);
  return root;
}

Json CoverageObject(const ModuleTable& modules) {
  return {{"metric", MetricName(modules.metric)},
          {"modules", modules.rows.size()},
          {"unresolved_modules", modules.unresolved},
          {"unresolved_share", modules.unresolved_percent / kHundred},
          {"nameless_share", modules.nameless_percent / kHundred},
          {"share_with_lines", modules.lined_percent / kHundred}};
}

Json ModuleArray(const ModuleTable& modules, bool has_dwarf) {
  Json array = Json::array();
  for (const ModuleRow& row : modules.rows)
    array.push_back(ModuleObject(row, has_dwarf));
  return array;
}

}  // namespace heapprof
