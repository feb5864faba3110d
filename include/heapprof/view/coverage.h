// SPDX-License-Identifier: Apache-2.0
//
// How much of a profile has names, for the summary after a report.
//
// nameless_stack.h says which stacks count as having no name. A function has a
// name even if only a symbol names it, without a source line.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct ModuleCoverage {
  MappingId mapping;
  size_t locations = 0;   // distinct addresses that occur in stacks
  size_t unresolved = 0;  // locations without a name
  size_t with_lines = 0;  // locations with a source line
  // `stacks` is the number of stacks whose leaf is in the module, and `value`
  // is the sum of their absolute values. `unresolved_stacks` and
  // `unresolved_value` are the same for the stacks whose leaf is an unresolved
  // location of the module.
  size_t stacks = 0;
  size_t unresolved_stacks = 0;
  double value = 0;
  double unresolved_value = 0;
  // The value of the stacks without a name whose unresolved frame nearest the
  // leaf is in this module.
  double nameless_value = 0;
};

struct Coverage {
  std::vector<ModuleCoverage> modules;  // those with a location in a stack
  // Sums of the absolute values of stacks:
  //   total_value     all stacks
  //   nameless_value  stacks without a name
  //   lined_value     stacks with a name whose leaf has a source line
  double total_value = 0;
  double nameless_value = 0;
  double lined_value = 0;
};

// Measures all of `profile` or one side of it, on up to `jobs` threads.
Coverage MeasureCoverage(const Profile& profile, Metric metric,
                         std::optional<Side> side = {}, unsigned jobs = 1);

}  // namespace heapprof
