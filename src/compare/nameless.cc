// SPDX-License-Identifier: Apache-2.0
#include "compare/nameless.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heapprof/profile/mapping_names.h"
#include "heapprof/profile/nameless_stack.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/profile/runtime_library.h"

namespace heapprof {
namespace {

bool IsNameless(const Profile& profile, const Location& location) {
  return !location.mapping.IsNone() && LacksName(profile, location.lines);
}

// Takes the sides that use each location, and returns, by LocationId, the only
// side with the location's module if the location has no name, else no side.
std::vector<SideSet> SidesOfNameless(const Profile& profile,
                                     std::vector<SideSet> nameless) {
  const std::vector<SideSet> mappings = SidesOfMappings(profile, nameless);
  for (size_t i = 0; i < nameless.size(); ++i) {
    const Location& location = profile.locations[i];
    if (!IsNameless(profile, location) ||
        mappings[location.mapping.index()] == kBothSides)
      nameless[i] = kNoSide;
  }
  return nameless;
}

}  // namespace

Sides<Values> NamelessValues(const Profile& profile,
                             const std::vector<SideSet>& sides) {
  const std::vector<SideSet> nameless = SidesOfNameless(profile, sides);
  Sides<Values> values = {};
  if (std::ranges::count(nameless, kNoSide) == std::ssize(nameless))
    return values;
  const std::vector<bool> are_runtime = RuntimeMappings(profile);
  const auto name_of = [&](LocationId id) {
    if (nameless[id.index()] == kNoSide) return FrameName::kKnown;
    return are_runtime[profile.locations[id.index()].mapping.index()]
               ? FrameName::kLackingInRuntime
               : FrameName::kLacking;
  };
  for (const Sample& sample : profile.samples)
    if (IsNamelessStack(profile.StackFrames(sample.stack), name_of))
      values[sample.side] += sample.values;
  for (const Side side : kSides)
    for (Estimate& estimate : values[side].by_metric)
      estimate.value /=
          static_cast<double>(std::max<size_t>(profile.runs[side].size(), 1));
  return values;
}

void NameCodeOutsideMap(const std::vector<SideSet>& sides, Profile& profile) {
  if (!profile.has_memory_map) return;
  const auto is_outside = [&](size_t i) {
    const Location& location = profile.locations[i];
    return location.mapping.IsNone() && LacksName(profile, location.lines) &&
           sides[i] != kBothSides;
  };
  std::vector<size_t> outside;
  for (size_t i = 1; i < profile.locations.size(); ++i)
    if (is_outside(i)) outside.push_back(i);
  if (outside.empty()) return;
  ProfileBuilder builder(std::move(profile));
  const FunctionId name = builder.InternFunction(
      {.name = builder.InternString("[" + std::string(kOutsideMap) + "]"),
       .unresolved = true});
  Profile& made = builder.profile();
  for (const size_t i : outside)
    made.lines[made.locations[i].lines.first].function = name;
  profile = std::move(builder).Finish();
}

void MarkNamelessOfBase(const std::vector<SideSet>& sides, Profile& profile) {
  const std::vector<SideSet> nameless = SidesOfNameless(profile, sides);
  std::vector<bool> is_used_now(profile.functions.size());
  const auto function_of = [](const Profile& of, size_t location) {
    return of.LocationLines(of.locations[location]).front().function;
  };
  bool has_base = false;
  for (size_t i = 0; i < nameless.size(); ++i) {
    has_base |= nameless[i] == SideBit(Side::kBase);
    if (nameless[i] == SideBit(Side::kNew))
      is_used_now[function_of(profile, i).index()] = true;
  }
  if (!has_base) return;
  ProfileBuilder builder(std::move(profile));
  Profile& made = builder.profile();
  std::unordered_map<FunctionId, FunctionId> marked;
  for (size_t i = 0; i < nameless.size(); ++i) {
    if (nameless[i] != SideBit(Side::kBase)) continue;
    const FunctionId id = function_of(made, i);
    if (!is_used_now[id.index()]) continue;
    FunctionId& of_base = marked[id];
    if (of_base.IsNone()) {
      Function function = made.functions[id.index()];
      function.name = builder.InternString(
          std::string(made.String(function.name)) + " (base)");
      of_base = builder.InternFunction(function);
    }
    made.lines[made.locations[i].lines.first].function = of_base;
  }
  profile = std::move(builder).Finish();
}

}  // namespace heapprof
