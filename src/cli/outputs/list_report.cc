// SPDX-License-Identifier: Apache-2.0
//
// --list: the sources of the functions that match.
#include <vector>

#include "cli/outputs/name_pattern.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/sources.h"
#include "heapprof/base/regex.h"
#include "heapprof/demangle/shown_names.h"
#include "heapprof/report/listing.h"
#include "heapprof/view/source_listing.h"

namespace heapprof {
namespace {

// Returns, for each function of the profile, whether it has a name and the
// pattern matches the name in any form.
Result<std::vector<bool>> Wanted(const Profile& profile, const Regex& regex) {
  std::vector<bool> wanted(profile.functions.size());
  for (size_t i = 1; i < wanted.size(); ++i) {
    if (profile.functions[i].unresolved) continue;
    const auto matches =
        MatchesShownName(regex, profile.String(profile.functions[i].name));
    if (!matches) return std::unexpected(matches.error());
    wanted[i] = *matches;
  }
  return wanted;
}

}  // namespace

// Lists the sources of the functions that match. Fails if none of them accounts
// for any memory.
Result<void> MakeListReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  const auto wanted = Wanted(request.profile, *options.pattern);
  if (!wanted) return std::unexpected(wanted.error());
  const auto functions =
      MakeSourceListing(request.profile, options.metric, *wanted);
  if (functions.empty()) return MatchesNone(*options.pattern, request.profile);
  Sources sources(options);
  for (const ListedFunction& function : functions)
    out.Append(WriteListing(function, sources.LinesOf(function.file),
                            UnitOf(options), request.Style().is_terminal));
  request.diagnostics.Note(sources.MissingNote());
  return {};
}

}  // namespace heapprof
