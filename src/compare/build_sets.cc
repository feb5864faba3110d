// SPDX-License-Identifier: Apache-2.0
#include "compare/build_sets.h"

#include <map>
#include <utility>

namespace heapprof {
namespace {

// By input: which mappings it uses, or by mapping: which inputs use it.
using Flags = std::vector<bool>;

bool HaveCommon(const Flags& a, const Flags& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] && b[i]) return true;
  return false;
}

// Returns by MappingId whether another mapping may be another build of it: none
// of the inputs uses both. A library that only one side happens to use does not
// make the program on that side another build.
Flags MayHaveOtherBuilds(const std::vector<Flags>& used_by_inputs,
                         size_t mapping_count) {
  std::map<Flags, std::vector<size_t>> mappings;  // by the inputs that use them
  for (size_t i = 1; i < mapping_count; ++i) {
    Flags inputs;
    for (const Flags& used : used_by_inputs) inputs.push_back(used[i]);
    mappings[inputs].push_back(i);
  }
  mappings.erase(Flags(used_by_inputs.size()));
  // Many inputs could use as many combinations of mappings.
  constexpr size_t kMost = 1000;
  Flags may_have(mapping_count, mappings.size() > kMost);
  if (mappings.size() > kMost) return may_have;
  for (const auto& [inputs, of_inputs] : mappings)
    for (const auto& [others, unused] : mappings)
      if (!HaveCommon(inputs, others)) {
        for (const size_t mapping : of_inputs) may_have[mapping] = true;
        break;
      }
  return may_have;
}

}  // namespace

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
  std::vector<Flags> used_by_inputs;
  for (const auto& [input, locations] : locations_of_inputs) {
    Flags& used = used_by_inputs.emplace_back(profile.mappings.size());
    for (size_t i = 1; i < locations.size(); ++i)
      if (locations[i] != 0) used[profile.locations[i].mapping.index()] = true;
  }
  const Flags may_have_others =
      MayHaveOtherBuilds(used_by_inputs, profile.mappings.size());
  Builds builds;
  builds.of_mappings.resize(profile.mappings.size());
  std::map<Flags, size_t> numbers;  // of builds, by their mappings
  auto used = used_by_inputs.begin();
  for (const auto& [input, locations] : locations_of_inputs) {
    Flags telling = *used;
    for (size_t i = 0; i < telling.size(); ++i)
      telling[i] = telling[i] && may_have_others[i];
    const size_t build =
        numbers.try_emplace(std::move(telling), numbers.size()).first->second;
    builds.of_sides[input.first].Add(build);
    for (size_t i = 1; i < used->size(); ++i)
      if ((*used)[i]) builds.of_mappings[i].Add(build);
    ++used;
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
