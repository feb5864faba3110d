// SPDX-License-Identifier: Apache-2.0
//
// What one row of an annotated listing holds.
#pragma once

#include <utility>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Counts each stack once, however often it has the row.
struct StackSum {
  double flat = 0;
  double cumulative = 0;
  const Sample* last = nullptr;  // that was counted

  void Count(const Sample& sample, double value, bool is_leaf) {
    if (is_leaf) flat += value;
    if (std::exchange(last, &sample) != &sample) cumulative += value;
  }
};

}  // namespace heapprof
