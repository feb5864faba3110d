// SPDX-License-Identifier: Apache-2.0
#include "report/module_details.h"

#include <string_view>

#include <fmt/core.h>

#include "heapprof/profile/mapping_names.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

std::string FormatBuildId(const ModuleInfo& info) {
  const std::string found = info.build_id.empty() ? "none" : info.build_id;
  if (info.wanted_build_id.empty()) {
    if (info.is_assumed) return found + " (assumed)";
    return info.file.empty() ? "" : found;
  }
  if (info.wanted_build_id == info.build_id) return found + " (as wanted)";
  return fmt::format(
      "{} wanted, {} found", info.wanted_build_id,
      info.build_id.empty() && info.file.empty() ? "no file" : found);
}

std::string FormatVersions(const ModuleInfo& info) {
  std::string text;
  for (const uint16_t version : info.dwarf_versions)
    text += fmt::format("{}{}", text.empty() ? "DWARF " : ", ", version);
  return text.empty() ? "DWARF" : text;
}

std::string FormatDebug(const ModuleInfo& info) {
  if (info.debug_file.empty())
    return info.file.empty() || !info.index_file.empty() ? "" : "none";
  return fmt::format(
      "{} in {}", FormatVersions(info),
      info.debug_file == info.file ? "the file itself" : info.debug_file);
}

}  // namespace

std::string ModuleTitle(const ModuleRow& row) {
  if (row.path.empty())
    return row.lacks_map ? "addresses without a memory map"
                         : fmt::format("addresses {}", kOutsideMap);
  return row.deleted ? row.path + " (deleted or replaced)" : row.path;
}

void WriteModuleDetails(const ModuleRow& row, FieldWriter& out) {
  const ModuleInfo& info = row.info;
  out.Line(ModuleTitle(row));
  const auto field = [&out](std::string_view key, const std::string& text) {
    if (!text.empty()) out.Field(key, text);
  };
  field("status", std::string(StatusName(row.status)));
  field("share", FormatShare(row.percent));
  field("named", fmt::format("{} of {} addresses, {} of {} stacks, {} of its "
                             "share",
                             row.locations - row.unresolved, row.locations,
                             row.stacks - row.unresolved_stacks, row.stacks,
                             FormatShare(row.resolved_percent)));
  field("with lines",
        fmt::format("{} of {} addresses", row.with_lines, row.locations));
  field("file", info.file == row.path ? "at this path" : info.file);
  field("build id", FormatBuildId(info));
  if (info.return_addresses != 0)
    field("fit", fmt::format("{:.0f} % of {} return addresses follow a call",
                             100.0 * info.after_call / info.return_addresses,
                             info.return_addresses));
  field("index", info.index_file);
  field("debug info", FormatDebug(info));
  for (const TriedFile& place : info.tried)
    field("tried", place.outcome == "not found"
                       ? place.path
                       : fmt::format("{}: {}", place.path, place.outcome));
  for (const std::string& problem : info.problems) field("problem", problem);
  field("missing", info.reason);
  for (const Suggestion& suggestion : info.suggestions) {
    field("remedy", suggestion.text);
    if (!suggestion.command.empty())
      out.Line("    " + suggestion.FullCommand());
  }
}

}  // namespace heapprof
