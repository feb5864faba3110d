// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/coverage.h"

#include <cmath>

namespace heapprof {
namespace {

bool IsUnresolved(const Profile& profile, const Location& location) {
  const auto lines = profile.LocationLines(location);
  return !lines.empty() &&
         profile.functions[lines.front().function.index()].unresolved;
}

}  // namespace

Coverage MeasureCoverage(const Profile& profile, Metric metric) {
  Coverage coverage;
  std::vector<ModuleCoverage> by_mapping(profile.mappings.size());
  std::vector<bool> seen(profile.locations.size());
  for (const Sample& sample : profile.samples) {
    const double value = std::abs(sample.values[metric].value);
    coverage.total_value += value;
    bool leaf = true;
    for (LocationId id : profile.StackFrames(sample.stack)) {
      // Only leaves count each time.
      if (!leaf && seen[id.index()]) continue;
      const Location& location = profile.locations[id.index()];
      ModuleCoverage& module = by_mapping[location.mapping.index()];
      const bool unresolved = IsUnresolved(profile, location);
      if (leaf) {
        ++module.stacks;
        module.value += value;
      }
      if (leaf && unresolved) {
        ++module.unresolved_stacks;
        module.unresolved_value += value;
      }
      leaf = false;
      if (seen[id.index()]) continue;
      seen[id.index()] = true;
      ++module.locations;
      if (unresolved) ++module.unresolved;
    }
  }
  for (uint32_t i = 0; i < by_mapping.size(); ++i) {
    by_mapping[i].mapping = {i};
    // Mapping "none" holds synthetic frames, which count only if they stand
    // for an address.
    const bool relevant =
        i == 0 ? by_mapping[i].unresolved > 0 : by_mapping[i].locations > 0;
    if (relevant) coverage.modules.push_back(by_mapping[i]);
  }
  return coverage;
}

}  // namespace heapprof
