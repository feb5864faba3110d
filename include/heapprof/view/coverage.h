// SPDX-License-Identifier: Apache-2.0
//
// How much of a profile has names, for the summary after a report.
//
// A table charges a stack to its leaf, and its readers look for their own code
// among the callers. So a stack counts as having no name if its leaf has none
// or if at least half of its frames have none: if a stripped program calls
// g_malloc, only g_malloc has a name. A function from a symbol, without a line,
// has a name.
#pragma once

#include <cstddef>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct ModuleCoverage {
  MappingId mapping;
  size_t locations = 0;   // distinct addresses that occur in a stack
  size_t unresolved = 0;  // locations without a name
  size_t with_lines = 0;  // locations with a source line
  // The stacks whose leaf is in the module, the stacks whose leaf is one of its
  // unresolved locations, and the sums of their absolute values.
  size_t stacks = 0;
  size_t unresolved_stacks = 0;
  double value = 0;
  double unresolved_value = 0;
  // The value of stacks without a name whose first unresolved frame, from the
  // leaf, is in the module.
  double nameless_value = 0;
};

struct Coverage {
  std::vector<ModuleCoverage> modules;  // those with a location in a stack
  // Sums of absolute values: of all stacks, of those without a name, and of
  // those with a name whose leaf has a source line.
  double total_value = 0;
  double nameless_value = 0;
  double lined_value = 0;
};

Coverage MeasureCoverage(const Profile& profile, Metric metric);

}  // namespace heapprof
