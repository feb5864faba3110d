// SPDX-License-Identifier: Apache-2.0
//
// The pattern that selects functions for --peek, --callers and --callees.
#pragma once

#include <optional>
#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"

namespace heapprof {

class NamePattern {
 public:
  // `regex` must outlive this.
  explicit NamePattern(const Regex& regex) : regex_(regex) {}

  // Returns whether the pattern matches. If a name takes too long to match,
  // returns false for it and for all later names; Check() then fails.
  bool Matches(std::string_view name);

  // Call this after Matches() has been called for all names. Fails if a name
  // took too long, or if `any_matches` is false, that is, if no name matched.
  Result<void> Check(bool any_matches) const;

 private:
  const Regex& regex_;
  std::optional<Error> error_;
};

}  // namespace heapprof
