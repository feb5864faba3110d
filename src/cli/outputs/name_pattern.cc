// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/name_pattern.h"

#include <fmt/format.h>

namespace heapprof {

std::unexpected<Error> MatchesNone(const Regex& regex, const Profile& profile) {
  return Fail(ErrorKind::kNoData,
              fmt::format("{} matches none of the functions{}", regex.Text(),
                          profile.is_comparison ? " that changed" : ""));
}

bool NamePattern::Matches(std::string_view name) {
  if (error_) return false;
  const auto matches = regex_.Matches(name);
  if (!matches) error_ = matches.error();
  return matches && *matches;
}

Result<void> NamePattern::Check(bool any_matches) const {
  if (error_) return std::unexpected(*error_);
  if (any_matches) return {};
  return MatchesNone(regex_, profile_);
}

}  // namespace heapprof
