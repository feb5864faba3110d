// SPDX-License-Identifier: Apache-2.0
//
// --disasm: the machine code of the functions that match.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "cli/outputs/machine_code.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/sources.h"
#include "heapprof/base/regex.h"
#include "heapprof/demangle/demangle.h"
#include "heapprof/report/disassembly.h"
#include "heapprof/view/disassembly.h"

namespace heapprof {
namespace {

// The routines (functions with a symbol in their binary) that account for
// memory.
struct RoutineTable {
  std::vector<Routine> routines;
  // For each location of the profile, its index in `routines`, or kNoRoutine.
  std::vector<uint32_t> routine_of;
};

RoutineTable FindRoutines(const Profile& profile, const Symbolizer& symbolizer,
                          Metric metric) {
  const std::vector<bool> counted = CountedLocations(profile, metric);
  RoutineTable table;
  table.routine_of.assign(profile.locations.size(), kNoRoutine);
  std::map<std::pair<const Module*, uint64_t>, uint32_t> index;
  std::vector<std::string_view> mangled;
  for (size_t i = 1; i < counted.size(); ++i) {
    const Location& location = profile.locations[i];
    if (!counted[i] || location.mapping.IsNone()) continue;
    const Module* module = symbolizer.ModuleOf(profile, location.mapping);
    if (module == nullptr) continue;
    const auto symbol = module->symbols().Find(
        CallSiteAddress(location, location.module_address));
    if (!symbol) continue;
    const auto [it, added] =
        index.try_emplace({module, symbol->address},
                          static_cast<uint32_t>(table.routines.size()));
    if (added) {
      table.routines.push_back({.module = module,
                                .start = symbol->address,
                                .end = symbol->address + symbol->size});
      mangled.push_back(symbol->name);
    }
    table.routine_of[i] = it->second;
  }
  std::vector<std::string> names = DemangleAll(mangled);
  for (size_t i = 0; i < names.size(); ++i)
    table.routines[i].name = std::move(names[i]);
  return table;
}

// Removes the routines that `regex` does not match.
Result<void> Select(const Regex& regex, RoutineTable& table) {
  std::vector<uint32_t> kept_as(table.routines.size(), kNoRoutine);
  std::vector<Routine> kept;
  for (size_t i = 0; i < table.routines.size(); ++i) {
    const auto matches = regex.Matches(table.routines[i].name);
    if (!matches) return std::unexpected(matches.error());
    if (!*matches) continue;
    kept_as[i] = static_cast<uint32_t>(kept.size());
    kept.push_back(std::move(table.routines[i]));
  }
  table.routines = std::move(kept);
  for (uint32_t& routine : table.routine_of)
    if (routine != kNoRoutine) routine = kept_as[routine];
  return {};
}

// Returns the name of any function that `regex` matches; empty if there is
// none. Called only if `regex` matches no routine. The function is then inlined
// everywhere or has no symbol, which the error message can say.
std::string_view FindInlined(const Profile& profile, const Regex& regex) {
  for (const Function& function : profile.functions)
    if (const auto name = profile.String(function.name);
        !function.unresolved && regex.Matches(name).value_or(false))
      return name;
  return "";
}

std::unexpected<Error> NoMatch(const Profile& profile, const Regex& regex) {
  const std::string_view inlined = FindInlined(profile, regex);
  return Fail(
      ErrorKind::kNoData,
      regex.Text() +
          (inlined.empty()
               ? " matches none of the functions that the binaries' symbols "
                 "name"
               : fmt::format(" matches functions without a symbol in the "
                             "binary, such as {}: name those that they are "
                             "inlined into, or use --list",
                             inlined)));
}

}  // namespace

// Disassembles the routines whose names match. Fails if none of them accounts
// for any memory, or if objdump fails.
Result<void> MakeDisasmReport(const ReportRequest& request, ByteSink& out) {
  const Profile& profile = request.profile;
  const Options& options = request.options;
  RoutineTable table =
      FindRoutines(profile, request.symbolizer, options.metric);
  if (table.routines.empty())
    return Fail(ErrorKind::kNoData,
                "--disasm shows the code of binaries, and none with symbols "
                "was found: name them, or their debug files");
  if (auto selected = Select(*options.pattern, table); !selected)
    return std::unexpected(selected.error());
  if (table.routines.empty()) return NoMatch(profile, *options.pattern);
  auto code = ReadMachineCode(table.routines, request.symbolizer, options);
  if (!code) return std::unexpected(code.error());
  Sources sources(options);
  const auto source = [&sources](const std::string& path) -> decltype(auto) {
    return sources.LinesOf(path);
  };
  for (const ListedRoutine& routine : MakeDisassembly(
           profile, options.metric, std::move(*code), table.routine_of))
    out.Append(WriteDisassembly(routine, source, UnitOf(options)));
  request.diagnostics.Note(sources.MissingNote());
  return {};
}

}  // namespace heapprof
