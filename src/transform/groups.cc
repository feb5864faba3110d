// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/groups.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "heapprof/base/no_index.h"
#include "heapprof/demangle/names.h"
#include "heapprof/profile/group_frames.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/transform/own_code.h"
#include "transform/location_parts.h"

namespace heapprof {
namespace {

// The first groups that something matches, as indexes; kNoIndex if there is
// none.
struct Matched {
  uint32_t from_leaf = kNoIndex;
  uint32_t from_root = kNoIndex;
  uint32_t of_allocator = kNoIndex;  // from the leaf, by one of the allocators

  void Add(const Matched& other) {
    from_leaf = std::min(from_leaf, other.from_leaf);
    from_root = std::min(from_root, other.from_root);
  }
};

// Matches functions and binaries with the patterns. If one match takes too
// long, the rest is skipped and error() is set.
class PatternMatcher {
 public:
  explicit PatternMatcher(const std::vector<Group>& groups) : groups_(groups) {
    has_functions_ = std::ranges::any_of(
        groups, [](const Group& group) { return !group.functions.empty(); });
  }

  Matched OfFunction(const Profile& profile, const Function& function) {
    const std::string_view name = profile.String(function.name);
    const std::string_view file = profile.String(function.filename);
    const std::string short_name =
        has_functions_ && !function.unresolved ? ShortName(name) : "";
    return Find([&](const Group& group) {
      return (!short_name.empty() && AnyMatches(group.functions, short_name)) ||
             (short_name != name && AnyMatches(group.functions, name)) ||
             (!file.empty() && AnyMatches(group.files, file));
    });
  }

  Matched OfModule(std::string_view path) {
    return Find([&](const Group& group) {
      return !path.empty() && AnyMatches(group.modules, path);
    });
  }

  Matched OfOwnCode() {
    return Find([](const Group& group) { return group.takes_own; });
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  template <typename Predicate>
  Matched Find(const Predicate& matches) const {
    Matched found;
    for (uint32_t i = 0; i < groups_.size(); ++i) {
      uint32_t& first =
          groups_[i].from_root ? found.from_root : found.from_leaf;
      if (first == kNoIndex && matches(groups_[i])) first = i;
    }
    return found;
  }

  bool AnyMatches(const std::vector<Regex>& patterns, std::string_view text) {
    if (error_) return false;
    const Result<bool> matches = heapprof::AnyMatches(patterns, text);
    if (!matches) error_ = matches.error();
    return matches && *matches;
  }

  const std::vector<Group>& groups_;
  bool has_functions_ = false;
  std::optional<Error> error_;
};

// Returns by location what its calls match: the innermost one that matches any
// group from the leaf, and the outermost one that matches any from the root.
// Allocators are kept apart: each of them is the leaf of memory of all
// subsystems.
std::vector<Matched> MatchLocations(const Profile& profile,
                                    PatternMatcher& matcher) {
  std::vector<Matched> functions, modules;
  for (const Function& function : profile.functions)
    functions.push_back(matcher.OfFunction(profile, function));
  for (const Mapping& mapping : profile.mappings)
    modules.push_back(matcher.OfModule(profile.String(mapping.filename)));
  const Matched own_code = matcher.OfOwnCode();
  const OwnCode own(profile);
  const std::vector<bool> is_allocator = own.AllocatorLines(profile);
  std::vector<Matched> locations;
  locations.reserve(profile.locations.size());
  for (const Location& location : profile.locations) {
    const Matched& of_module = modules[location.mapping.index()];
    Matched found = location.lines.count == 0 ? of_module : Matched();
    for (uint32_t i = 0; i < location.lines.count; ++i) {
      const uint32_t line = location.lines.first + i;
      Matched call = functions[profile.lines[line].function.index()];
      call.Add(of_module);
      if (own.IsOwn(line)) call.Add(own_code);
      uint32_t& from_leaf =
          is_allocator[line] ? found.of_allocator : found.from_leaf;
      if (from_leaf == kNoIndex) from_leaf = call.from_leaf;
      if (call.from_root != kNoIndex) found.from_root = call.from_root;
    }
    locations.push_back(found);
  }
  return locations;
}

// Returns the index of a stack's group, or kNoIndex for kOtherGroup.
uint32_t GroupOf(std::span<const LocationId> stack,
                 const std::vector<Matched>& locations, bool has_from_root) {
  if (has_from_root)
    for (const LocationId frame : stack | std::views::reverse)
      if (const uint32_t group = locations[frame.index()].from_root;
          group != kNoIndex)
        return group;
  uint32_t of_allocator = kNoIndex;
  for (const LocationId frame : stack) {
    const Matched& matched = locations[frame.index()];
    if (matched.from_leaf != kNoIndex) return matched.from_leaf;
    if (of_allocator == kNoIndex) of_allocator = matched.of_allocator;
  }
  return of_allocator;
}

// The frames of groups, which are added to a profile when they are needed.
class GroupFrames {
 public:
  GroupFrames(const std::vector<Group>& groups, ProfileBuilder& builder)
      : groups_(groups),
        builder_(builder),
        frames_(groups.size()),
        other_(Add(kOtherGroup)) {}

  LocationId Of(uint32_t group) {
    if (group == kNoIndex) return other_;
    if (frames_[group].IsNone()) frames_[group] = Add(groups_[group].name);
    return frames_[group];
  }

  std::vector<std::string> Unused() const {
    std::set<std::string_view> used;
    for (size_t i = 0; i < groups_.size(); ++i)
      if (!frames_[i].IsNone()) used.insert(groups_[i].name);
    std::vector<std::string> unused;
    for (const Group& group : groups_)
      if (!group.is_built_in && used.insert(group.name).second)
        unused.push_back(group.name);
    return unused;
  }

 private:
  LocationId Add(std::string_view name) {
    const LocationId frame = AddSyntheticLocation(FrameOfGroup(name), builder_);
    builder_.profile().locations[frame.index()].is_group = true;
    return frame;
  }

  const std::vector<Group>& groups_;
  ProfileBuilder& builder_;
  std::vector<LocationId> frames_;  // by group; none: not added yet
  LocationId other_;
};

}  // namespace

Result<std::vector<std::string>> AddGroupRoots(const std::vector<Group>& groups,
                                               Profile& profile) {
  PatternMatcher matcher(groups);
  const std::vector<Matched> locations = MatchLocations(profile, matcher);
  if (matcher.error()) return std::unexpected(*matcher.error());
  const bool has_from_root = std::ranges::any_of(groups, &Group::from_root);
  ProfileBuilder builder(std::move(profile));
  Profile& made = builder.profile();
  GroupFrames roots(groups, builder);
  const std::vector<LocationId> frames = std::exchange(made.frames, {});
  made.frames.reserve(frames.size() + made.stacks.size());
  for (RowRange& range : made.stacks | std::views::drop(1)) {
    const auto stack = std::span(frames).subspan(range.first, range.count);
    const LocationId root = roots.Of(GroupOf(stack, locations, has_from_root));
    range = {static_cast<uint32_t>(made.frames.size()), range.count + 1};
    builder.AppendFrames(stack);
    made.frames.push_back(root);
  }
  std::vector<std::string> unused = roots.Unused();
  profile = std::move(builder).Finish();
  return unused;
}

}  // namespace heapprof
