// SPDX-License-Identifier: Apache-2.0
#include "compare/build_sets.h"

#include <map>
#include <utility>

namespace heapprof {

Builds FindBuilds(const Profile& profile) {
  using Input = std::pair<Side, uint16_t>;
  // Bytes are faster to set than bits, and there may be millions of frames.
  std::map<Input, std::vector<uint8_t>> locations_of_inputs;
  auto last = locations_of_inputs.end();
  for (const Sample& sample : profile.samples) {
    const Input input = {sample.side, sample.run};
    if (last == locations_of_inputs.end() || last->first != input)
      last = locations_of_inputs.try_emplace(input, profile.locations.size())
                 .first;
    for (const LocationId frame : profile.StackFrames(sample.stack))
      last->second[frame.index()] = 1;
  }
  Builds builds;
  builds.of_mappings.resize(profile.mappings.size());
  std::map<std::vector<bool>, size_t> numbers;  // of builds, by their mappings
  for (const auto& [input, locations] : locations_of_inputs) {
    std::vector<bool> used(profile.mappings.size());
    for (size_t i = 1; i < locations.size(); ++i)
      if (locations[i] != 0) used[profile.locations[i].mapping.index()] = true;
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
