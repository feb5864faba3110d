// SPDX-License-Identifier: Apache-2.0
#include "compare/sides.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "heapprof/base/base_name.h"

namespace heapprof {
namespace {

// Returns by MappingId whether samples are in another build of the file, too.
std::vector<bool> HaveOtherBuilds(const Profile& profile,
                                  const std::vector<SideSet>& sides) {
  std::unordered_map<std::string_view, std::set<StringId>> builds;
  const auto name = [&profile](size_t i) {
    return BaseName(profile.String(profile.mappings[i].filename));
  };
  for (size_t i = 1; i < sides.size(); ++i)
    if (sides[i] != kNoSide)
      builds[name(i)].insert(profile.mappings[i].build_id);
  std::vector<bool> several(sides.size());
  for (size_t i = 1; i < sides.size(); ++i)
    several[i] = sides[i] != kNoSide && builds[name(i)].size() > 1;
  return several;
}

}  // namespace

std::vector<SideSet> SidesOfLocations(const Profile& profile) {
  std::vector<SideSet> sides(profile.locations.size());
  std::vector<SideSet> of_stacks(profile.stacks.size());
  for (const Sample& sample : profile.samples)
    of_stacks[sample.stack.index()] |= SideBit(sample.side);
  for (uint32_t stack = 0; stack < of_stacks.size(); ++stack)
    if (of_stacks[stack] != kNoSide)
      for (const LocationId frame : profile.StackFrames({stack}))
        sides[frame.index()] |= of_stacks[stack];
  return sides;
}

std::vector<SideSet> SidesOfMappings(const Profile& profile,
                                     const std::vector<SideSet>& locations) {
  std::vector<SideSet> sides(profile.mappings.size());
  for (size_t i = 0; i < locations.size(); ++i)
    sides[profile.locations[i].mapping.index()] |= locations[i];
  return sides;
}

std::vector<bool> SharedMappings(const Profile& profile,
                                 const std::vector<SideSet>& locations) {
  const std::vector<SideSet> sides = SidesOfMappings(profile, locations);
  const std::vector<bool> several = HaveOtherBuilds(profile, sides);
  std::vector<bool> shared;
  for (size_t i = 0; i < sides.size(); ++i)
    shared.push_back(i != 0 && sides[i] == kBothSides && !several[i]);
  return shared;
}

bool HasSeveralBuilds(const Profile& profile,
                      const std::vector<SideSet>& locations) {
  const std::vector<bool> several =
      HaveOtherBuilds(profile, SidesOfMappings(profile, locations));
  return std::ranges::find(several, true) != several.end();
}

std::vector<uint32_t> ModuleNumbers(const Profile& profile,
                                    const std::vector<SideSet>& locations) {
  struct Module {
    uint32_t number = 0;
    SideSet sides = kNoSide;
  };
  const std::vector<SideSet> sides = SidesOfMappings(profile, locations);
  std::map<std::string_view, Module> modules;
  const auto module_of = [&](size_t mapping) -> Module& {
    return modules[BaseName(
        profile.String(profile.mappings[mapping].filename))];
  };
  for (uint32_t i = 1; i < sides.size(); ++i) {
    Module& module = module_of(i);
    if (module.number == 0) module.number = i;
    module.sides |= sides[i];
  }
  Sides<std::vector<Module*>> unmatched;
  for (auto& [name, module] : modules)
    for (const Side side : kSides)
      if (module.sides == SideBit(side)) unmatched[side].push_back(&module);
  if (unmatched.now.size() == 1 && unmatched.base.size() == 1)
    unmatched.base.front()->number = unmatched.now.front()->number;
  std::vector<uint32_t> numbers(sides.size());
  for (uint32_t i = 1; i < sides.size(); ++i) numbers[i] = module_of(i).number;
  return numbers;
}

}  // namespace heapprof
