// SPDX-License-Identifier: Apache-2.0
#include "compare/align_builds.h"

#include <map>
#include <unordered_map>
#include <vector>

#include "compare/build_sets.h"
#include "compare/match_functions.h"
#include "compare/match_paths.h"

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
      profile.strings, paths, builds.of_sides.now, PathKind::kSourceFile);
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
      profile.strings, paths, builds.of_sides.now, PathKind::kModule);
  for (Mapping& mapping : profile.mappings) {
    const StringId recorded = mapping.filename;
    Replace(replacements, mapping.filename);
    if (mapping.filename != recorded) mapping.recorded_filename = recorded;
  }
  Replace(replacements, profile.main_binary);
  for (StringId& path : profile.other_programs) Replace(replacements, path);
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

}  // namespace heapprof
