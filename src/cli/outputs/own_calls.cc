// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/own_calls.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/core.h>

namespace heapprof {
namespace {

CallsOfStacks FirstCalls(const Profile& profile, const OwnCode& own) {
  CallsOfStacks calls(profile.stacks.size());
  for (uint32_t i = 0; i < calls.size(); ++i)
    calls[i] = own.FirstOwn(profile, profile.StackFrames({i}));
  return calls;
}

std::vector<StoryRole> RolesIn(const Profile& profile, const OwnCode& own) {
  std::vector<StoryRole> roles(profile.lines.size());
  const std::vector<bool> is_telling = own.TellingLines(profile);
  const std::vector<bool> is_nameless = own.NamelessLines(profile);
  const std::vector<bool> is_allocator = own.AllocatorLines(profile);
  for (uint32_t line = 0; line < is_telling.size(); ++line)
    if (is_telling[line])
      roles[line] = own.IsOwn(line) ? StoryRole::kOwn : StoryRole::kLibrary;
    else if (is_nameless[line])
      roles[line] = StoryRole::kNameless;
    else if (own.IsOwn(line) && is_allocator[line])
      roles[line] = StoryRole::kOwnAllocator;
  return roles;
}

// True if the filter --own has already removed the frames that the user's code
// called, so that the leaf of each stack is the call in the user's own code.
bool IsCutToOwnCode(const Options& options) {
  const std::string& asked = options.filters.options().own;
  return !asked.empty() && asked != "auto";
}

// Returns the leaves of stacks that are cut in this way; nothing for those in
// which the filter found no own code.
CallsOfStacks OwnLeafCalls(const Profile& profile) {
  CallsOfStacks calls = LeafCalls(profile);
  for (std::optional<StackCall>& call : calls) {
    if (!call) continue;
    const FunctionId leaf = profile.lines[call->line].function;
    if (profile.String(profile.functions[leaf.index()].name) == kOutsideOwnCode)
      call.reset();
  }
  return calls;
}

bool SeeksOwnCode(const Options& options) {
  return options.filters.options().own != "none";
}

// True if any sample is charged to one of `calls`.
bool ChargesAny(const CallsOfStacks& calls, const Profile& profile) {
  return !calls.empty() &&
         std::ranges::any_of(profile.samples, [&](const Sample& sample) {
           return calls[sample.stack.index()].has_value();
         });
}

}  // namespace

CallsOfStacks OwnCalls(const Profile& profile, const OwnCode& own,
                       const Options& options) {
  if (!SeeksOwnCode(options)) return {};
  if (IsCutToOwnCode(options)) return OwnLeafCalls(profile);
  return FirstCalls(profile, own);
}

CallsOfStacks LeafCalls(const Profile& profile) {
  CallsOfStacks calls(profile.stacks.size());
  for (const Sample& sample : profile.samples) {
    const LocationId leaf = profile.StackFrames(sample.stack).front();
    calls[sample.stack.index()] = StackCall{
        .frame = 0, .line = profile.locations[leaf.index()].lines.first};
  }
  return calls;
}

ChargedCalls OwnOrLeafCalls(const Profile& profile, const OwnCode& own,
                            const Options& options, std::string_view noun) {
  CallsOfStacks calls = OwnCalls(profile, own, options);
  if (ChargesAny(calls, profile))
    return {std::move(calls), fmt::format("{} of your code", noun), true};
  return {LeafCalls(profile), fmt::format("{} that allocates", noun)};
}

size_t ChainsOnScreen(size_t rows) {
  constexpr size_t kOthers = 20;  // that an overview needs besides
  constexpr size_t kFewest = 3;
  const size_t most = StoryOptions().most_chains;
  return rows == 0 ? most
                   : std::clamp(rows - std::min(rows, kOthers), kFewest, most);
}

std::vector<StoryChain> StoryOf(const Profile& profile, const OwnCode& own,
                                const Options& options, size_t most_chains) {
  if (!SeeksOwnCode(options)) return {};
  return MakeStory(profile, {.metric = options.metric,
                             .names = LabelsOf(options).names,
                             .roles = RolesIn(profile, own),
                             .most_chains = most_chains});
}

OverviewOptions OverviewOptionsOf(const Profile& profile, const OwnCode& own,
                                  const Options& options) {
  OverviewOptions made = {.metric = options.metric,
                          .labels = LabelsOf(options),
                          .jobs = JobsFor(profile, options)};
  if (!SeeksOwnCode(options)) return made;
  made.own_calls = OwnCalls(profile, own, options);
  made.story_roles = RolesIn(profile, own);
  return made;
}

std::vector<bool> OwnLines(const Profile& profile, const OwnCode& own) {
  std::vector<bool> is_own;
  is_own.reserve(profile.lines.size());
  for (uint32_t line = 0; line < profile.lines.size(); ++line)
    is_own.push_back(own.IsOwn(line));
  return is_own;
}

}  // namespace heapprof
