// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/module_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "heapprof/profile/program.h"
#include "heapprof/view/coverage.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Returns the status of a module with unresolved addresses.
ModuleStatus StatusOfFile(const ModuleRow& row) {
  switch (row.info.file_state) {
    case FileState::kKernelCode:
      return ModuleStatus::kKernel;
    case FileState::kGenerated:
      return ModuleStatus::kGenerated;
    case FileState::kNotFound:
      return ModuleStatus::kMissing;
    case FileState::kUnreadable:
      return ModuleStatus::kUnreadable;
    case FileState::kAnotherBuild:
      return ModuleStatus::kWrongBuild;
    case FileState::kNoAddresses:
      return ModuleStatus::kNoAddresses;
    case FileState::kFound:
    case FileState::kNoDebugInfo:
      break;
  }
  return row.unresolved == row.locations ? ModuleStatus::kNoNames
                                         : ModuleStatus::kSomeNames;
}

// Returns the status of a module. The state of its file matters only if some
// addresses have no name, because the profile itself may name all addresses of
// a module whose file is missing.
ModuleStatus StatusOf(const ModuleRow& row) {
  if (row.path.empty()) return ModuleStatus::kUnmapped;
  if (row.unresolved == row.locations) return StatusOfFile(row);
  if (!row.info.problems.empty()) return ModuleStatus::kIncomplete;
  if (row.unresolved > 0) return StatusOfFile(row);
  return row.with_lines == 0 ? ModuleStatus::kNoLines : ModuleStatus::kOk;
}

std::string WhyUnmapped(const Profile& profile) {
  if (profile.has_memory_map)
    return "the memory map has no file there: code that was generated at run "
           "time, a library that was unloaded, or a dump that is cut off in "
           "its map, which --maps replaces";
  return profile.is_symbolized ? "the file has only addresses for them"
                               : "the dump has no memory map";
}

// Sets the reason for unresolved addresses if it is not known yet. Even if the
// file was found, it may lack some symbols.
void ExplainUnresolved(const Profile& profile, ModuleRow& row) {
  if (row.unresolved == 0 || !row.info.reason.empty()) return;
  row.info.reason = row.path.empty()
                        ? WhyUnmapped(profile)
                        : fmt::format("no symbol for {} of {} addresses",
                                      row.unresolved, row.locations);
}

ModuleRow RowOf(const Profile& profile, const ModuleCoverage& module,
                double total, ModuleInfo info) {
  const Mapping& mapping = profile.mappings[module.mapping.index()];
  ModuleRow row = {
      .path = std::string(profile.String(RecordedFilename(mapping))),
      .lacks_map = !profile.has_memory_map,
      .deleted = mapping.deleted,
      .is_main_program = IsOfProgram(profile, mapping),
      .locations = module.locations,
      .unresolved = module.unresolved,
      .with_lines = module.with_lines,
      .stacks = module.stacks,
      .unresolved_stacks = module.unresolved_stacks,
      .value = module.value,
      .unresolved_value = module.unresolved_value,
      .percent = Percent(module.value, total),
      .resolved_percent =
          module.value == 0
              ? 100
              : Percent(module.value - module.unresolved_value, module.value),
      .nameless_percent = Percent(module.nameless_value, total),
      .info = std::move(info)};
  ExplainUnresolved(profile, row);
  row.status = StatusOf(row);
  return row;
}

}  // namespace

bool HasDoubtfulNames(const ModuleRow& row) {
  // In the right file, nearly every address follows a call; the exceptions,
  // such as signal frames, are few.
  constexpr uint32_t kFewest = 2;
  constexpr uint32_t kOneOf = 100;
  const ModuleInfo& info = row.info;
  const uint32_t others = info.return_addresses - info.after_call;
  const bool is_proven =
      !info.build_id.empty() && info.wanted_build_id == info.build_id;
  return info.file_state == FileState::kFound && !is_proven &&
         row.unresolved < row.locations && others >= kFewest &&
         others > info.return_addresses / kOneOf;
}

bool HasUncheckedNames(const ModuleRow& row) {
  return row.info.is_debug_file && row.info.wanted_build_id.empty() &&
         row.unresolved < row.locations;
}

std::string_view StatusName(ModuleStatus status) {
  switch (status) {
    case ModuleStatus::kOk:
      return "ok";
    case ModuleStatus::kNoLines:
      return "no lines";
    case ModuleStatus::kSomeNames:
      return "some names";
    case ModuleStatus::kNoNames:
      return "no names";
    case ModuleStatus::kIncomplete:
      return "incomplete";
    case ModuleStatus::kMissing:
      return "missing";
    case ModuleStatus::kUnreadable:
      return "unreadable";
    case ModuleStatus::kWrongBuild:
      return "wrong build";
    case ModuleStatus::kGenerated:
      return "generated";
    case ModuleStatus::kKernel:
      return "kernel";
    case ModuleStatus::kUnmapped:
      return "not mapped";
    case ModuleStatus::kNoAddresses:
      return "ambiguous";
  }
  return "";
}

ModuleTable MakeModuleTable(const Profile& profile, Metric metric,
                            std::vector<ModuleInfo> info_by_mapping,
                            unsigned jobs) {
  const Coverage coverage = MeasureCoverage(profile, metric, {}, jobs);
  info_by_mapping.resize(profile.mappings.size());
  ModuleTable table;
  table.metric = metric;
  table.has_memory_map = profile.has_memory_map;
  double unresolved_value = 0;
  for (const ModuleCoverage& module : coverage.modules) {
    if (module.unresolved > 0) ++table.unresolved;
    unresolved_value += module.unresolved_value;
    table.rows.push_back(
        RowOf(profile, module, coverage.total_value,
              std::move(info_by_mapping[module.mapping.index()])));
  }
  table.unresolved_percent = Percent(unresolved_value, coverage.total_value);
  table.nameless_percent =
      Percent(coverage.nameless_value, coverage.total_value);
  table.lined_percent = Percent(coverage.lined_value, coverage.total_value);
  std::ranges::stable_sort(table.rows, {}, [](const ModuleRow& row) {
    return std::tuple(-row.unresolved_value, -row.value);
  });
  return table;
}

}  // namespace heapprof
