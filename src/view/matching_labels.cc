// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/matching_labels.h"

#include <algorithm>
#include <optional>

#include "heapprof/demangle/shown_names.h"
#include "heapprof/profile/inline_mark.h"

namespace heapprof {
namespace {

bool MatchesFunction(
    const Profile& profile, const Function& function,
    const std::function<bool(std::string_view name)>& matches) {
  const std::string_view name = profile.String(function.name);
  return function.unresolved ? matches(name)
                             : std::ranges::any_of(ShownNames(name), matches);
}

}  // namespace

std::vector<bool> MatchingLabels(
    const Profile& profile, const FrameLabels& labels,
    const std::function<bool(std::string_view name)>& matches) {
  std::vector<bool> wanted(labels.size());
  // Then the mark of a label says nothing about its name.
  const bool any_mark_matches = matches(kInlineMark);
  for (uint32_t id = 0; id < labels.size(); ++id) {
    std::string_view text = labels.Text(id);
    const bool is_marked = text.ends_with(kInlineMark);
    wanted[id] = !(is_marked && any_mark_matches) && matches(text);
    if (wanted[id] || !is_marked) continue;
    text.remove_suffix(kInlineMark.size());
    wanted[id] = matches(text);
  }
  if (labels.merges_adjacent()) return wanted;
  std::vector<std::optional<bool>> by_function(profile.functions.size());
  for (uint32_t i = 1; i < profile.locations.size(); ++i) {
    const auto lines = profile.LocationLines(profile.locations[i]);
    const auto ids = labels.Of(LocationId{i});
    for (size_t k = 0; k < ids.size(); ++k) {
      if (wanted[ids[k]]) continue;
      const size_t function = lines[k].function.index();
      if (!by_function[function])
        by_function[function] =
            MatchesFunction(profile, profile.functions[function], matches);
      wanted[ids[k]] = *by_function[function];
    }
  }
  return wanted;
}

std::vector<bool> MatchingFunctions(
    const Profile& profile, const FunctionNames& names,
    const std::function<bool(std::string_view name)>& matches) {
  std::vector<bool> wanted(profile.functions.size());
  for (uint32_t i = 1; i < wanted.size(); ++i)
    wanted[i] = MatchesFunction(profile, profile.functions[i], matches) ||
                matches(names.NameOf({i}, /*inlined=*/false));
  return wanted;
}

}  // namespace heapprof
