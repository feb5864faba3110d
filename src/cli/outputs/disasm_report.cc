// SPDX-License-Identifier: Apache-2.0
//
// --disasm: the machine code of the functions that match.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "cli/outputs/name_pattern.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/sources.h"
#include "cli/system/environment.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/regex.h"
#include "heapprof/demangle/shown_names.h"
#include "heapprof/disasm/machine_code.h"
#include "heapprof/disasm/routines.h"
#include "heapprof/report/disassembly.h"
#include "heapprof/view/disassembly.h"
#include "heapprof/view/matching_labels.h"

namespace heapprof {
namespace {

std::unexpected<Error> NoMatch(const Profile& profile, const Regex& regex,
                               const std::vector<bool>& matching) {
  std::string_view nameless;
  for (size_t i = 1; i < matching.size(); ++i) {
    if (!matching[i]) continue;
    const Function& function = profile.functions[i];
    const std::string_view name = profile.String(function.name);
    if (!function.unresolved)
      return Fail(ErrorKind::kNoData,
                  fmt::format("{} matches functions without a symbol in the "
                              "binary, such as {}: name those that they are "
                              "inlined into, or use --list",
                              regex.Text(), Printable(name)));
    nameless = name;
  }
  if (nameless.empty()) return MatchesNone(regex, profile);
  return Fail(ErrorKind::kNoData,
              fmt::format("{} matches only code without a symbol, such as {}: "
                          "name the debug file of the binary",
                          regex.Text(), Printable(nameless)));
}

// Returns, for each routine, whether the pattern matches the name of its symbol
// or the function that is its code.
std::vector<bool> WantedRoutines(const Profile& profile,
                                 const RoutineTable& table,
                                 const std::vector<bool>& matching,
                                 NamePattern& pattern) {
  const auto matches = [&](std::string_view name) {
    return pattern.Matches(name);
  };
  std::vector<bool> wanted;
  for (const Routine& routine : table.routines)
    wanted.push_back(std::ranges::any_of(ShownNames(routine.name), matches));
  for (size_t i = 1; i < table.routine_of.size(); ++i) {
    const uint32_t routine = table.routine_of[i];
    const auto lines = profile.LocationLines(profile.locations[i]);
    if (routine != kNoRoutine && !lines.empty() &&
        matching[lines.back().function.index()])
      wanted[routine] = true;
  }
  return wanted;
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
  NamePattern pattern(*options.pattern, profile);
  const std::vector<bool> matching = MatchingFunctions(
      profile, FunctionNames(profile, LabelsOf(options).names),
      [&](std::string_view name) { return pattern.Matches(name); });
  SelectRoutines(WantedRoutines(profile, table, matching, pattern), table);
  if (auto ok = pattern.Check(/*any_matches=*/true); !ok) return ok;
  if (table.routines.empty())
    return NoMatch(profile, *options.pattern, matching);
  auto code = ReadMachineCode(
      table.routines, request.symbolizer,
      {.tools = options.tools.empty() ? JeprofTools() : options.tools,
       .names = options.names,
       .with_inlines = !options.filters.options().no_inlines,
       .jobs = JobCount(options)});
  if (!code) return std::unexpected(code.error());
  Sources sources(options);
  const auto source = [&sources](const std::string& path) -> decltype(auto) {
    return sources.LinesOf(path);
  };
  for (const ListedRoutine& routine : MakeDisassembly(
           profile, options.metric, std::move(*code), table.routine_of))
    out.Append(
        WriteDisassembly(routine, source, request.RowUnit(routine.cumulative),
                         request.Style().is_terminal, request.Style().columns));
  request.diagnostics.Note(sources.MissingNote());
  return {};
}

}  // namespace heapprof
