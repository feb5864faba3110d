// SPDX-License-Identifier: Apache-2.0
#include "compare/function_names.h"

#include <map>
#include <tuple>
#include <unordered_map>

#include "heapprof/base/base_name.h"
#include "heapprof/demangle/names.h"
#include "heapprof/demangle/rust_mangling.h"

namespace heapprof {
namespace {

// Returns the name of a function, without what its place and builds say.
NameInBuilds NameOf(const Function& function, const Profile& profile) {
  const std::string_view name = profile.String(function.name);
  const std::string_view mangled = profile.String(function.system_name);
  NameInBuilds made;
  made.text = NormalizeName(name);
  made.matching = MatchingName(name);
  made.has_arguments = TemplateName(made.text) != made.text;
  made.is_rust = MayBeRust(mangled);
  made.has_instances = mangled.starts_with("_R");
  return made;
}

Place StartOf(const Function& function, const Profile& profile) {
  if (function.start_line == 0) return {};
  return {BaseName(profile.String(function.filename)), function.start_line};
}

}  // namespace

std::vector<NameInBuilds> CollectNames(const std::vector<BuildSet>& builds,
                                       const Profile& profile) {
  std::vector<NameInBuilds> names;
  std::map<std::tuple<std::string, Place>, size_t> index;
  std::unordered_map<StringId, NameInBuilds> known;
  for (uint32_t i = 1; i < builds.size(); ++i) {
    const Function& function = profile.functions[i];
    if (builds[i].empty() || function.unresolved) continue;
    const auto [it, is_new] = known.try_emplace(function.name);
    if (is_new) it->second = NameOf(function, profile);
    const Place place = StartOf(function, profile);
    const auto [entry, is_added] = index.try_emplace(
        {it->second.text, it->second.has_arguments ? Place{} : place},
        names.size());
    if (is_added) names.push_back(it->second);
    NameInBuilds& name = names[entry->second];
    if (place.second != 0) name.places.insert(place);
    name.functions.push_back(FunctionId{i});
    name.builds |= builds[i];
  }
  return names;
}

}  // namespace heapprof
