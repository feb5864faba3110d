// SPDX-License-Identifier: Apache-2.0
//
// What the stacks of a comparison held, whether or not a function was on them.
// A function that the compiler inlined into its caller, or whose last call it
// made a jump, is missing from the stacks of its callees. If that differs
// between two builds, the function seems to have grown. So does one that got
// another name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapprof/base/id_table.h"
#include "heapprof/profile/profile.h"
#include "heapprof/profile/samples_by_stack.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

class StacksWithout {
 public:
  // Entries that are `left_out` do not tell stacks apart. `profile` is the one
  // that was compared, and `samples` are those of all its threads.
  StacksWithout(const Profile& profile, const SamplesByStack& samples,
                const Comparison& comparison,
                const std::vector<bool>& left_out);

  // Returns the growth of the stacks with `entry` and of all other stacks that
  // equal one of them without it.
  Growth GrowthOf(const EntryStacks& entry) const;

 private:
  // Returns the row of the first stack that equals the stack in this row
  // without `entry`; 0 if there is none.
  uint32_t FindEqual(size_t row, size_t entry) const;
  uint64_t HashOf(size_t row, size_t entry) const;

  const Profile& profile_;
  const SamplesByStack& samples_;
  const Comparison& comparison_;
  const std::vector<bool>& left_out_;
  IdTable firsts_;               // the first of the stacks that are equal
  std::vector<uint32_t> first_;  // by StackId: its row in firsts_
};

}  // namespace heapprof
