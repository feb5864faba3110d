// SPDX-License-Identifier: Apache-2.0
//
// The functions that --peek, --callers and --callees ask for.
#pragma once

#include <optional>
#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/transform/regex.h"

namespace heapprof {

class NamePattern {
 public:
  // `regex` must outlive this.
  explicit NamePattern(const Regex& regex) : regex_(regex) {}

  // False for all names after the first one that takes too long.
  bool Matches(std::string_view name);

  // When all names were tried: an error if one took too long, or if there is
  // nothing to show, not `any_matches`.
  Result<void> Check(bool any_matches) const;

 private:
  const Regex& regex_;
  std::optional<Error> error_;
};

}  // namespace heapprof
