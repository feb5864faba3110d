// SPDX-License-Identifier: Apache-2.0
#include "heapprof/disasm/routines.h"

#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "heapprof/demangle/demangle.h"
#include "heapprof/view/disassembly.h"

namespace heapprof {

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

void SelectRoutines(const std::vector<bool>& wanted, RoutineTable& table) {
  std::vector<uint32_t> kept_as(table.routines.size(), kNoRoutine);
  std::vector<Routine> kept;
  for (size_t i = 0; i < table.routines.size(); ++i) {
    if (!wanted[i]) continue;
    kept_as[i] = static_cast<uint32_t>(kept.size());
    kept.push_back(std::move(table.routines[i]));
  }
  table.routines = std::move(kept);
  for (uint32_t& routine : table.routine_of)
    if (routine != kNoRoutine) routine = kept_as[routine];
}

}  // namespace heapprof
