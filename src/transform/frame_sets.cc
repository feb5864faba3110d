// SPDX-License-Identifier: Apache-2.0
#include "transform/frame_sets.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "heapprof/base/split.h"
#include "heapprof/profile/runtime_library.h"

namespace heapprof {
namespace {

struct NamedSet {
  std::string_view name;
  CodeOrigin origin;
};
constexpr std::array<NamedSet, 3> kSets = {
    {{"@std", CodeOrigin::kStandardLibrary},
     {"@rust", CodeOrigin::kRustLibrary},
     {"@wrappers", CodeOrigin::kWrapper}}};

}  // namespace

Result<FrameSets> ParseFrameSets(std::string_view option,
                                 std::string_view names) {
  FrameSets sets;
  for (const std::string_view name : Split(names, ',')) {
    const auto set = std::ranges::find(kSets, name, &NamedSet::name);
    if (set == kSets.end())
      return Fail(ErrorKind::kUsage,
                  fmt::format("{}={:.200}: expected @std, @rust or @wrappers, "
                              "found '{:.200}'",
                              option, names, name));
    sets.push_back(set->origin);
  }
  return sets;
}

FrameMatches FindFrames(const Profile& profile, const FrameSets& sets) {
  const auto is_wanted = [&sets](CodeOrigin origin) {
    return std::ranges::find(sets, origin) != sets.end();
  };
  const OriginClassifier classifier(profile, {});
  std::vector<bool> functions;
  for (const Function& function : profile.functions)
    functions.push_back(is_wanted(classifier.OriginOf(function)) ||
                        is_wanted(classifier.AuthorOf(function)));
  std::vector<bool> lines;
  for (const Line& line : profile.lines)
    lines.push_back(functions[line.function.index()]);
  std::vector<bool> modules(profile.mappings.size());
  for (size_t i = 1; i < modules.size(); ++i)
    modules[i] = is_wanted(CodeOrigin::kStandardLibrary) &&
                 IsRuntimeLibrary(profile.String(profile.mappings[i].filename));
  std::vector<bool> locations;
  for (const Location& location : profile.locations)
    locations.push_back(modules[location.mapping.index()]);
  return {std::move(locations), std::move(lines)};
}

}  // namespace heapprof
