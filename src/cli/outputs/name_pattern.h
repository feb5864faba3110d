// SPDX-License-Identifier: Apache-2.0
//
// The pattern that selects functions for --peek, --callers, --callees, --list
// and --disasm.
#pragma once

#include <optional>
#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// The error that `regex` matches no function in a report on `profile`. A
// comparison shows only functions that changed.
std::unexpected<Error> MatchesNone(const Regex& regex, const Profile& profile);

class NamePattern {
 public:
  // Both must outlive this.
  NamePattern(const Regex& regex, const Profile& profile)
      : regex_(regex), profile_(profile) {}

  // Returns whether the pattern matches. If a name takes too long to match,
  // returns false for it and for all later names; Check() then fails.
  bool Matches(std::string_view name);

  // Call this after Matches() has been called for all names. Fails if a name
  // took too long, or if `any_matches` is false, that is, if no name matched.
  Result<void> Check(bool any_matches) const;

 private:
  const Regex& regex_;
  const Profile& profile_;
  std::optional<Error> error_;
};

}  // namespace heapprof
