// SPDX-License-Identifier: Apache-2.0
//
// The level of significance of the tests of a check; see judge.h.
#pragma once

#include "heapprof/check/budgets.h"

namespace heapprof {

// Returns the probability of a false regression that is allowed for the tests
// of the total, and also for the tests of all entries together. If both have
// limits, each gets half of what is allowed for the whole check.
inline double LevelOfFamily(const Budgets& budgets) {
  const double alpha = 1 - budgets.settings.Confidence();
  return budgets.settings.LimitsTotal() && budgets.LimitsEntries() ? alpha / 2
                                                                   : alpha;
}

}  // namespace heapprof
