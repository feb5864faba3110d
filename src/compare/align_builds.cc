// SPDX-License-Identifier: Apache-2.0
#include "compare/align_builds.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compare/sides.h"
#include "heapprof/base/base_name.h"
#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

// A name in a group of functions that MatchingName() cannot tell apart.
struct GroupName {
  std::string normal;  // NormalizeName()
  SideSet sides;
  std::vector<FunctionId> functions;
};

struct Group {
  std::vector<GroupName> names;

  void Add(std::string normal, SideSet sides, FunctionId function) {
    auto it = std::ranges::find(names, normal, &GroupName::normal);
    if (it == names.end())
      it = names.insert(names.end(), {std::move(normal), {}, {}});
    it->sides |= sides;
    it->functions.push_back(function);
  }
};

using Groups = std::unordered_map<std::string, Group>;  // by MatchingName()

// Returns the sides that use each function, indexed by FunctionId. A function
// that is only in modules that both sides share is on no side.
std::vector<SideSet> SidesOfFunctions(const Profile& profile,
                                      const std::vector<SideSet>& locations) {
  const std::vector<bool> shared = SharedMappings(profile, locations);
  std::vector<SideSet> sides(profile.functions.size());
  for (size_t i = 1; i < locations.size(); ++i) {
    const Location& location = profile.locations[i];
    if (shared[location.mapping.index()]) continue;
    for (const Line& line : profile.LocationLines(location))
      sides[line.function.index()] |= locations[i];
  }
  return sides;
}

Groups GroupFunctions(const Profile& profile,
                      const std::vector<SideSet>& sides) {
  Groups groups;
  for (uint32_t i = 1; i < sides.size(); ++i) {
    const Function& function = profile.functions[i];
    if (sides[i] == kNoSide || function.unresolved) continue;
    const std::string_view name = profile.String(function.name);
    groups[MatchingName(name)].Add(NormalizeName(name), sides[i],
                                   FunctionId{i});
  }
  return groups;
}

// Returns the names that are to become one; fewer than two if none is.
std::vector<const GroupName*> NamesOfOneFunction(const std::string& matching,
                                                 const Group& group) {
  std::vector<const GroupName*> all, unmatched;
  SideSet sides = kNoSide, unmatched_sides = kNoSide;
  bool lacks_arguments = false;
  for (const GroupName& name : group.names) {
    all.push_back(&name);
    sides |= name.sides;
    lacks_arguments |= name.normal == matching;
    if (name.sides == kBothSides) continue;
    unmatched.push_back(&name);
    unmatched_sides |= name.sides;
  }
  if (sides == kBothSides && lacks_arguments && !unmatched.empty()) return all;
  if (unmatched_sides == kBothSides) return unmatched;
  return {};
}

std::string CommonName(const std::string& matching,
                       const std::vector<const GroupName*>& names) {
  const auto has_arguments = [&matching](const GroupName* name) {
    return name->normal != matching;
  };
  return std::ranges::count_if(names, has_arguments) == 1
             ? (*std::ranges::find_if(names, has_arguments))->normal
             : matching;
}

void AlignFunctions(const Groups& groups, Profile& profile) {
  for (const auto& [matching, group] : groups) {
    const auto names = NamesOfOneFunction(matching, group);
    if (names.size() < 2) continue;
    const StringId common = profile.strings.Intern(CommonName(matching, names));
    for (const GroupName* name : names)
      for (const FunctionId id : name->functions)
        profile.functions[id.index()].name = common;
  }
}

// The files with one base name that are on one side only.
struct UnmatchedFiles {
  std::vector<StringId> base;
  std::vector<StringId> now;
};

// Returns the path on the new side for each path of the base that it replaces.
std::unordered_map<StringId, StringId> MatchFiles(
    const Profile& profile, const std::vector<SideSet>& sides) {
  std::map<StringId, SideSet> paths;
  for (size_t i = 1; i < sides.size(); ++i)
    if (!profile.functions[i].filename.IsNone())
      paths[profile.functions[i].filename] |= sides[i];
  std::unordered_map<std::string_view, UnmatchedFiles> unmatched;
  for (const auto& [path, of_path] : paths) {
    UnmatchedFiles& files = unmatched[BaseName(profile.String(path))];
    if (of_path == SideBit(Side::kNew)) files.now.push_back(path);
    if (of_path == SideBit(Side::kBase)) files.base.push_back(path);
  }
  std::unordered_map<StringId, StringId> matched;
  for (const auto& [name, files] : unmatched)
    if (files.base.size() == 1 && files.now.size() == 1)
      matched[files.base.front()] = files.now.front();
  return matched;
}

void AlignFiles(const std::vector<SideSet>& sides, Profile& profile) {
  const auto matched = MatchFiles(profile, sides);
  for (Function& function : profile.functions)
    if (const auto it = matched.find(function.filename); it != matched.end())
      function.filename = it->second;
}

}  // namespace

void AlignBuilds(Profile& profile) {
  const std::vector<SideSet> sides =
      SidesOfFunctions(profile, SidesOfLocations(profile));
  const Groups groups = GroupFunctions(profile, sides);
  AlignFunctions(groups, profile);
  AlignFiles(sides, profile);
}

}  // namespace heapprof
