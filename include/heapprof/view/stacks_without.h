// SPDX-License-Identifier: Apache-2.0
//
// What the stacks of a comparison held, whether or not a function was on them.
// A function that the compiler inlined into its caller, or whose last call it
// made a jump, is missing from the stacks of its callees. If that differs
// between two builds, the function seems to have grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

class StacksWithout {
 public:
  // Entries that are `left_out` do not tell stacks apart.
  StacksWithout(const Comparison& comparison,
                const std::vector<bool>& left_out);

  // Returns the growth of the stacks with `entry` and of all other stacks that
  // equal one of them without it. `profile` is the one that was compared.
  Growth GrowthOf(const Profile& profile, const EntrySamples& entry) const;

 private:
  using Stack = std::vector<uint32_t>;  // entries, leaf first
  struct StackHash {
    size_t operator()(const Stack& stack) const;
  };

  Stack Without(size_t sample, size_t entry) const;

  const Comparison& comparison_;
  const std::vector<bool>& left_out_;
  std::unordered_map<Stack, uint32_t, StackHash> ids_;
  std::vector<uint32_t> id_of_sample_;
};

}  // namespace heapprof
