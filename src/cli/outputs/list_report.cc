// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/list_report.h"

#include "cli/outputs/sources.h"
#include "heapprof/report/listing.h"
#include "heapprof/transform/regex.h"
#include "heapprof/view/source_listing.h"

namespace heapprof {
namespace {

// Which functions the pattern matches.
Result<std::vector<bool>> Wanted(const Profile& profile, const Regex& regex) {
  std::vector<bool> wanted(profile.functions.size());
  for (size_t i = 1; i < wanted.size(); ++i) {
    const auto matches =
        regex.Matches(profile.String(profile.functions[i].name));
    if (!matches) return std::unexpected(matches.error());
    wanted[i] = *matches && !profile.functions[i].unresolved;
  }
  return wanted;
}

}  // namespace

Result<std::string> ListReport(const Profile& profile, const Options& options,
                               Unit unit, Diagnostics& diagnostics) {
  const auto regex = Regex::Compile("--list", options.pattern);
  if (!regex) return std::unexpected(regex.error());
  const auto wanted = Wanted(profile, *regex);
  if (!wanted) return std::unexpected(wanted.error());
  const auto functions = MakeSourceListing(profile, options.metric, *wanted);
  if (functions.empty())
    return Fail(ErrorKind::kNoData,
                regex->Text() + " matches none of the functions");
  Sources sources(options);
  std::string text;
  for (const ListedFunction& function : functions)
    text += WriteListing(function, sources.LinesOf(function.file), unit);
  diagnostics.Note(sources.MissingNote());
  return text;
}

}  // namespace heapprof
