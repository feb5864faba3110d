// SPDX-License-Identifier: Apache-2.0
//
// Finds the rows of a table that has one for each stack, or for each stack and
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "heapprof/base/no_index.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

class SampleRows {
 public:
  // Returns the row of a stack and a thread, which may be none; kNoIndex if it
  // has no row.
  uint32_t Find(StackId stack, ThreadId thread) const {
    if (thread.IsNone())
      return stack.index() < by_stack_.size() ? by_stack_[stack.index()]
                                              : kNoIndex;
    const auto it = by_thread_.find(KeyOf(stack, thread));
    return it == by_thread_.end() ? kNoIndex : it->second;
  }

  // Like Find(), but if there is no row, sets it to `row` and returns that.
  uint32_t FindOrAdd(StackId stack, ThreadId thread, size_t row) {
    const auto added = static_cast<uint32_t>(row);
    if (!thread.IsNone())
      return by_thread_.try_emplace(KeyOf(stack, thread), added).first->second;
    if (by_stack_.size() <= stack.index())
      by_stack_.resize(stack.index() + 1, kNoIndex);
    uint32_t& known = by_stack_[stack.index()];
    if (known == kNoIndex) known = added;
    return known;
  }

 private:
  static uint64_t KeyOf(StackId stack, ThreadId thread) {
    return uint64_t{thread.value} << 32 | stack.value;
  }

  // Not hashed: stacks are many, and rows are mostly in their order.
  std::vector<uint32_t> by_stack_;
  std::unordered_map<uint64_t, uint32_t> by_thread_;
};

}  // namespace heapprof
