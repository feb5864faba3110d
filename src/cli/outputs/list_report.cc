// SPDX-License-Identifier: Apache-2.0
//
// --list: the sources of the functions that match.
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "cli/outputs/name_pattern.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/sources.h"
#include "heapprof/base/printable.h"
#include "heapprof/report/listing.h"
#include "heapprof/view/matching_labels.h"
#include "heapprof/view/source_listing.h"

namespace heapprof {
namespace {

// Removes the functions without a name from `wanted`: no source of theirs is
// known. Returns what one of them is called; empty if there is none.
std::string_view RemoveNameless(const Profile& profile,
                                std::vector<bool>& wanted) {
  std::string_view nameless;
  for (size_t i = 1; i < wanted.size(); ++i) {
    if (!wanted[i] || !profile.functions[i].unresolved) continue;
    wanted[i] = false;
    nameless = profile.String(profile.functions[i].name);
  }
  return nameless;
}

}  // namespace

// Lists the sources of the functions that match. Fails if none of them accounts
// for any memory.
Result<void> MakeListReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  const Profile& profile = request.profile;
  NamePattern pattern(*options.pattern, profile);
  std::vector<bool> wanted = MatchingFunctions(
      profile, FunctionNames(profile, LabelsOf(options).names),
      [&](std::string_view name) { return pattern.Matches(name); });
  const std::string_view nameless = RemoveNameless(profile, wanted);
  const auto functions = MakeSourceListing(profile, options.metric, wanted);
  if (functions.empty() && !nameless.empty())
    return Fail(ErrorKind::kNoData,
                fmt::format("{} matches only code without a name, such as {}, "
                            "of which no source is known; see heapprof info",
                            options.pattern->Text(), Printable(nameless)));
  if (auto ok = pattern.Check(!functions.empty()); !ok) return ok;
  Sources sources(options);
  for (const ListedFunction& function : functions)
    out.Append(WriteListing(function, sources.LinesOf(function.file),
                            request.RowUnit(function.cumulative),
                            request.Style().is_terminal,
                            request.Style().columns));
  request.diagnostics.Note(sources.MissingNote());
  return {};
}

}  // namespace heapprof
