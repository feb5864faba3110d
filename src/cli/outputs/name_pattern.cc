// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/name_pattern.h"

namespace heapprof {

bool NamePattern::Matches(std::string_view name) {
  if (error_) return false;
  const auto matches = regex_.Matches(name);
  if (!matches) error_ = matches.error();
  return matches && *matches;
}

Result<void> NamePattern::Check(bool any_matches) const {
  if (error_) return std::unexpected(*error_);
  if (any_matches) return {};
  return Fail(ErrorKind::kNoData,
              regex_.Text() + " matches none of the functions");
}

}  // namespace heapprof
