// SPDX-License-Identifier: Apache-2.0
#include "compare/match_paths.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compare/matches.h"
#include "heapprof/base/base_name.h"

namespace heapprof {
namespace {

// Returns the last `parts` parts of a path, or all of it if it has fewer.
std::string_view PathEnd(std::string_view path, size_t parts) {
  size_t start = path.size();
  while (parts > 0 && start > 0) {
    const size_t slash = path.rfind('/', start - 1);
    start = slash == path.npos ? 0 : slash;
    --parts;
  }
  path.remove_prefix(start);
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

class PathMatcher {
 public:
  PathMatcher(const StringTable& strings,
              const std::map<StringId, BuildSet>& builds)
      : strings_(strings), matches_(Values(builds)) {
    for (const auto& [path, builds_of_path] : builds) paths_.push_back(path);
  }

  // Matches paths that end alike, those with the longest common end first.
  void MatchEnds() {
    size_t parts = 1;
    for (const StringId path : paths_)
      parts = std::max(parts, static_cast<size_t>(
                                  std::ranges::count(strings_.Get(path), '/')));
    for (parts = std::min(parts, kMaxParts); parts > 0; --parts)
      Match([parts](std::string_view path) { return PathEnd(path, parts); });
  }
  void MatchLibraries() { Match(LibraryName); }

  std::unordered_map<StringId, StringId> Replacements(
      const std::map<StringId, BuildSet>& builds, const BuildSet& preferred) {
    std::map<size_t, std::vector<StringId>> sets;
    for (size_t i = 0; i < paths_.size(); ++i)
      sets[matches_.Root(i)].push_back(paths_[i]);
    std::unordered_map<StringId, StringId> replacements;
    for (const auto& [root, paths] : sets) {
      const StringId best = std::ranges::min(paths, {}, [&](StringId path) {
        return std::tuple(!builds.at(path).Intersects(preferred),
                          strings_.Get(path));
      });
      for (const StringId path : paths)
        if (path != best) replacements[path] = best;
    }
    return replacements;
  }

 private:
  static constexpr size_t kMaxParts = 64;

  static std::vector<BuildSet> Values(
      const std::map<StringId, BuildSet>& builds) {
    std::vector<BuildSet> values;
    for (const auto& [path, builds_of_path] : builds)
      values.push_back(builds_of_path);
    return values;
  }

  template <typename KeyOf>
  void Match(const KeyOf& key_of) {
    NameGroups groups;
    for (size_t i = 0; i < paths_.size(); ++i)
      groups[std::string(key_of(strings_.Get(paths_[i])))].push_back(i);
    for (const auto& [key, paths] : groups)
      if (paths.size() > 1) matches_.UniteIfUnique(matches_.Leftovers(paths));
  }

  const StringTable& strings_;
  Matches matches_;
  std::vector<StringId> paths_;
};

}  // namespace

std::unordered_map<StringId, StringId> MatchPaths(
    const StringTable& strings, const std::map<StringId, BuildSet>& builds,
    const BuildSet& preferred, PathKind kind) {
  PathMatcher matcher(strings, builds);
  matcher.MatchEnds();
  if (kind == PathKind::kModule) matcher.MatchLibraries();
  return matcher.Replacements(builds, preferred);
}

}  // namespace heapprof
