// SPDX-License-Identifier: Apache-2.0
#include "report/module_details.h"

#include <string_view>

#include <fmt/format.h>

#include "heapprof/view/units.h"

namespace heapprof {
namespace {

std::string FormatBuildId(const ModuleFacts& facts) {
  const std::string found = facts.build_id.empty() ? "none" : facts.build_id;
  if (facts.wanted_build_id.empty()) return facts.file.empty() ? "" : found;
  if (facts.wanted_build_id == facts.build_id) return found + " (as wanted)";
  return fmt::format("{} wanted, {} found", facts.wanted_build_id,
                     facts.file.empty() ? "no file" : found);
}

std::string FormatVersions(const ModuleFacts& facts) {
  std::string text;
  for (const uint16_t version : facts.dwarf_versions)
    text += fmt::format("{}{}", text.empty() ? "DWARF " : ", ", version);
  return text.empty() ? "DWARF" : text;
}

std::string FormatDebug(const ModuleFacts& facts) {
  if (facts.debug_file.empty()) return facts.file.empty() ? "" : "none";
  return fmt::format(
      "{} in {}", FormatVersions(facts),
      facts.debug_file == facts.file ? "the file itself" : facts.debug_file);
}

}  // namespace

std::string ModuleTitle(const ModuleRow& row) {
  if (row.path.empty()) return "addresses outside the memory map";
  return row.deleted ? row.path + " (deleted or replaced)" : row.path;
}

void WriteModuleDetails(const ModuleRow& row, FactWriter& out) {
  const ModuleFacts& facts = row.facts;
  out.Line(ModuleTitle(row));
  const auto fact = [&out](std::string_view key, const std::string& text) {
    if (!text.empty()) out.Fact(key, text);
  };
  fact("status", std::string(StatusName(row.status)));
  fact("share", FormatShare(row.percent));
  fact("named", fmt::format("{} of {} addresses, {} of {} stacks, {} of its "
                            "share",
                            row.locations - row.unresolved, row.locations,
                            row.stacks - row.unresolved_stacks, row.stacks,
                            FormatShare(row.resolved_percent)));
  fact("with lines",
       fmt::format("{} of {} addresses", row.with_lines, row.locations));
  fact("file", facts.file == row.path ? "at this path" : facts.file);
  fact("build id", FormatBuildId(facts));
  if (facts.return_addresses != 0)
    fact("fit", fmt::format("{:.0f} % of {} return addresses follow a call",
                            100.0 * facts.after_call / facts.return_addresses,
                            facts.return_addresses));
  fact("debug info", FormatDebug(facts));
  for (const TriedPlace& place : facts.tried)
    fact("tried", place.outcome == "not found"
                      ? place.path
                      : fmt::format("{}: {}", place.path, place.outcome));
  for (const std::string& problem : facts.problems) fact("problem", problem);
  fact("missing", facts.reason);
  for (const Remedy& remedy : facts.remedies) {
    fact("remedy", remedy.text);
    if (!remedy.command.empty()) out.Line("    " + remedy.FullCommand());
  }
}

}  // namespace heapprof
