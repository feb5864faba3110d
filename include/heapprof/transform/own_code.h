// SPDX-License-Identifier: Apache-2.0
//
// One's own code: what the people who wrote the program would call theirs.
// That is the program and the libraries beside it, without the standard
// libraries, other people's code that is compiled or linked in, and functions
// that only hand on memory. Paths, source files and names decide, so that it
// works on a dump alone, and without debug information.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

class OwnCode {
 public:
  // Looks at every function once; keeps no view of `profile`, which must not
  // lose lines or locations while this object is used.
  explicit OwnCode(const Profile& profile);

  // `line` is an index of Profile::lines.
  bool IsOwn(uint32_t line) const { return ranks_[line] != Rank::kOther; }
  // Own code that a symbol or debug information names.
  bool IsNamed(uint32_t line) const { return ranks_[line] == Rank::kNamed; }

  // The call that a stack is charged to: the own one nearest the leaf that has
  // a name, else the own one nearest the leaf.
  struct Call {
    size_t frame = 0;   // in the stack
    uint32_t line = 0;  // in Profile::lines
  };
  std::optional<Call> FirstOwn(const Profile& profile,
                               std::span<const LocationId> stack) const;

 private:
  enum class Rank : uint8_t { kOther, kNameless, kNamed };

  std::vector<Rank> ranks_;  // by line
};

}  // namespace heapprof
