// SPDX-License-Identifier: Apache-2.0
//
// Selects the functions of --peek, --callers and --callees.
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

  // False for every name after the first one that took too long.
  bool Matches(std::string_view name);

  // To be called after all names: an error if one took too long or if none
  // matched.
  Result<void> Check(bool any_matches) const;

 private:
  const Regex& regex_;
  std::optional<Error> error_;
};

}  // namespace heapprof
