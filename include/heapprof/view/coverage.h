// SPDX-License-Identifier: Apache-2.0
//
// How much of a profile has names: what the summary after a report says.
#pragma once

#include <cstddef>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct ModuleCoverage {
  MappingId mapping;
  size_t locations = 0;   // distinct addresses that occur in a stack
  size_t unresolved = 0;  // of these, without a name
  // The stacks whose leaf is in the module, those whose leaf is one of the
  // unresolved, and their values, signs dropped.
  size_t stacks = 0;
  size_t unresolved_stacks = 0;
  double value = 0;
  double unresolved_value = 0;
};

struct Coverage {
  std::vector<ModuleCoverage> modules;  // those that occur in a stack
  double total_value = 0;               // of all stacks, signs dropped
};

Coverage MeasureCoverage(const Profile& profile, Metric metric);

}  // namespace heapprof
