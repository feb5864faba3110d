// SPDX-License-Identifier: Apache-2.0
//
// The value of one row (line, instruction, ...) of an annotated listing.
#pragma once

#include <utility>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Adds up the stacks that contain the row. Counts each stack once, even if the
// row occurs in it several times.
struct StackSum {
  double flat = 0;
  double cumulative = 0;
  StackId last = {};  // the stack that was counted last

  void Count(StackId stack, double value, bool is_leaf) {
    if (is_leaf) flat += value;
    if (std::exchange(last, stack) != stack) cumulative += value;
  }
};

}  // namespace heapprof
