// SPDX-License-Identifier: Apache-2.0
#include "compare/build_sets.h"

#include <map>
#include <utility>

namespace heapprof {

Builds FindBuilds(const Profile& profile) {
  std::map<std::pair<Side, uint16_t>, std::vector<bool>> locations_of_inputs;
  for (const Sample& sample : profile.samples) {
    auto& used = locations_of_inputs[{sample.side, sample.run}];
    used.resize(profile.locations.size());
    for (const LocationId frame : profile.StackFrames(sample.stack))
      used[frame.index()] = true;
  }
  Builds builds;
  builds.of_mappings.resize(profile.mappings.size());
  std::map<std::vector<bool>, size_t> numbers;  // of builds, by their mappings
  for (const auto& [input, locations] : locations_of_inputs) {
    std::vector<bool> used(profile.mappings.size());
    for (size_t i = 1; i < locations.size(); ++i)
      if (locations[i]) used[profile.locations[i].mapping.index()] = true;
    const size_t build =
        numbers.try_emplace(used, numbers.size()).first->second;
    builds.of_sides[input.first].Add(build);
    for (size_t i = 1; i < used.size(); ++i)
      if (used[i]) builds.of_mappings[i].Add(build);
  }
  builds.count = numbers.size();
  return builds;
}

std::vector<BuildSet> BuildsOfFunctions(const Profile& profile,
                                        const std::vector<BuildSet>& mappings) {
  std::vector<bool> used(profile.locations.size());
  for (const Sample& sample : profile.samples)
    for (const LocationId frame : profile.StackFrames(sample.stack))
      used[frame.index()] = true;
  std::vector<BuildSet> builds(profile.functions.size());
  for (size_t i = 1; i < used.size(); ++i) {
    const Location& location = profile.locations[i];
    if (!used[i]) continue;
    for (const Line& line : profile.LocationLines(location))
      builds[line.function.index()] |= mappings[location.mapping.index()];
  }
  return builds;
}

}  // namespace heapprof
