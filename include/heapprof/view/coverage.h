// SPDX-License-Identifier: Apache-2.0
//
// How much of a profile has names: what the summary after a report says.
//
// A table charges a stack to its leaf-most frame, and its readers look for
// their own code among the callers. So a stack has no name if its leaf-most
// frame has none, or if at least half of its frames have none: of a stripped
// program that calls g_malloc, only g_malloc is named. A function that comes
// from a symbol, without a line, has a name.
#pragma once

#include <cstddef>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct ModuleCoverage {
  MappingId mapping;
  size_t locations = 0;   // distinct addresses that occur in a stack
  size_t unresolved = 0;  // of these, without a name
  size_t with_lines = 0;  // of these, with a source line
  // The stacks whose leaf is in the module, those whose leaf is one of the
  // unresolved, and their values, signs dropped.
  size_t stacks = 0;
  size_t unresolved_stacks = 0;
  double value = 0;
  double unresolved_value = 0;
  // Of stacks without a name whose leaf-most unresolved frame is in the module.
  double nameless_value = 0;
};

struct Coverage {
  std::vector<ModuleCoverage> modules;  // those that occur in a stack
  // Signs dropped: of all stacks, of those that have no name, and of those
  // that have one and whose leaf-most frame has a line.
  double total_value = 0;
  double nameless_value = 0;
  double lined_value = 0;
};

Coverage MeasureCoverage(const Profile& profile, Metric metric);

}  // namespace heapprof
