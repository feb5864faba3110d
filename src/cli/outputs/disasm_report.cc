// SPDX-License-Identifier: Apache-2.0
//
// --disasm: the machine code of the functions that match.
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "cli/outputs/report_request.h"
#include "cli/outputs/sources.h"
#include "cli/system/environment.h"
#include "heapprof/base/regex.h"
#include "heapprof/demangle/shown_names.h"
#include "heapprof/disasm/machine_code.h"
#include "heapprof/disasm/routines.h"
#include "heapprof/report/disassembly.h"
#include "heapprof/view/disassembly.h"

namespace heapprof {
namespace {

// Returns the name of any function that `regex` matches; empty if there is
// none. Called only if `regex` matches no routine. The function is then inlined
// everywhere or has no symbol, which the error message can say.
std::string_view FindInlined(const Profile& profile, const Regex& regex) {
  for (const Function& function : profile.functions)
    if (const auto name = profile.String(function.name);
        !function.unresolved && MatchesShownName(regex, name).value_or(false))
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
  if (auto selected = SelectRoutines(*options.pattern, table); !selected)
    return std::unexpected(selected.error());
  if (table.routines.empty()) return NoMatch(profile, *options.pattern);
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
    out.Append(WriteDisassembly(routine, source, UnitOf(options)));
  request.diagnostics.Note(sources.MissingNote());
  return {};
}

}  // namespace heapprof
