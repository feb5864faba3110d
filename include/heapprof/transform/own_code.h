// SPDX-License-Identifier: Apache-2.0
//
// Finds the user's own code: the program and the libraries next to it, without
// the standard libraries, without third-party code that is compiled or linked
// in, and without functions that only pass memory on. The decision uses only
// paths, source files and names, so it works from a dump alone and without
// debug information.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

class OwnCode {
 public:
  // Examines every function once. Keeps no reference to `profile`, but that
  // must not lose lines or locations while this object is in use.
  explicit OwnCode(const Profile& profile);

  // `line` is an index of Profile::lines.
  bool IsOwn(uint32_t line) const { return ranks_[line] != Rank::kOther; }
  // True for own code that has a name.
  bool IsNamed(uint32_t line) const { return ranks_[line] == Rank::kNamed; }

  // The call to which a stack is charged: of the own calls, the one nearest the
  // leaf that has a name, or else the one nearest the leaf.
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
