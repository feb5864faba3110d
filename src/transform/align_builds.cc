// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/align_builds.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <vector>

#include "transform/build_sets.h"
#include "transform/match_functions.h"
#include "transform/match_paths.h"

namespace heapprof {
namespace {

using PathBuilds = std::map<StringId, BuildSet>;
using Replacements = std::unordered_map<StringId, StringId>;

void Replace(const Replacements& replacements, StringId& path) {
  if (const auto it = replacements.find(path); it != replacements.end())
    path = it->second;
}

void AlignFiles(const Builds& builds,
                const std::vector<BuildSet>& builds_of_functions,
                Profile& profile) {
  PathBuilds paths;
  for (size_t i = 1; i < profile.functions.size(); ++i)
    if (const StringId file = profile.functions[i].filename;
        !file.IsNone() && !builds_of_functions[i].empty())
      paths[file] |= builds_of_functions[i];
  const Replacements replacements = MatchPaths(
      profile.strings, paths, builds.of_sides[static_cast<size_t>(Side::kNew)],
      PathKind::kSourceFile);
  for (Function& function : profile.functions)
    Replace(replacements, function.filename);
}

void AlignModules(const Builds& builds, Profile& profile) {
  PathBuilds paths;
  for (size_t i = 1; i < profile.mappings.size(); ++i)
    if (const Mapping& mapping = profile.mappings[i];
        mapping.is_file && !builds.of_mappings[i].empty())
      paths[mapping.filename] |= builds.of_mappings[i];
  const Replacements replacements = MatchPaths(
      profile.strings, paths, builds.of_sides[static_cast<size_t>(Side::kNew)],
      PathKind::kModule);
  for (Mapping& mapping : profile.mappings)
    Replace(replacements, mapping.filename);
  Replace(replacements, profile.main_binary);
}

// Returns, by Side, which locations have no name and are in modules that the
// other side does not use; empty if there are none.
std::array<std::vector<bool>, 2> NamelessLocations(const Profile& profile,
                                                   const Builds& builds) {
  std::array<std::vector<bool>, 2> nameless;
  for (size_t i = 1; i < profile.locations.size(); ++i) {
    const Location& location = profile.locations[i];
    const auto lines = profile.LocationLines(location);
    if (lines.empty() || location.mapping.IsNone() ||
        !profile.functions[lines.front().function.index()].unresolved)
      continue;
    const BuildSet& users = builds.of_mappings[location.mapping.index()];
    for (size_t side = 0; side < nameless.size(); ++side) {
      if (users.Intersects(builds.of_sides[1 - side])) continue;
      nameless[side].resize(profile.locations.size());
      nameless[side][i] = true;
    }
  }
  return nameless;
}

}  // namespace

void AlignBuilds(Profile& profile) {
  const Builds builds = FindBuilds(profile);
  if (builds.count < 2) return;
  const std::vector<BuildSet> of_functions =
      BuildsOfFunctions(profile, builds.of_mappings);
  AlignFiles(builds, of_functions, profile);
  MatchFunctions(of_functions, profile);
  AlignModules(builds, profile);
}

std::array<double, 2> NamelessValues(const Profile& profile, Metric metric) {
  const auto nameless = NamelessLocations(profile, FindBuilds(profile));
  std::array<double, 2> values = {};
  for (const Sample& sample : profile.samples) {
    const auto side = static_cast<size_t>(sample.side);
    if (nameless[side].empty()) continue;
    const auto is_nameless = [&](LocationId id) {
      return nameless[side][id.index()];
    };
    const auto frames = profile.StackFrames(sample.stack);
    const auto count = std::ranges::count_if(frames, is_nameless);
    if (count > 0 &&
        (is_nameless(frames.front()) || 2 * count >= std::ssize(frames)))
      values[side] += sample.values[metric].value;
  }
  for (size_t side = 0; side < values.size(); ++side)
    values[side] /=
        static_cast<double>(std::max<size_t>(profile.runs[side].size(), 1));
  return values;
}

}  // namespace heapprof
