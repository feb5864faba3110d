// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/own_calls.h"

#include <cstdint>
#include <string>

#include "heapprof/transform/own_code.h"

namespace heapprof {

std::vector<std::optional<StackCall>> OwnCalls(const Profile& profile,
                                               const Options& options) {
  const std::string& asked = options.filters.options().own;
  if (asked == "none") return {};
  // The filter --own has already removed the frames that the user's code
  // called, so the leaf of each stack is the call in the user's own code.
  if (!asked.empty() && asked != "auto") return LeafCalls(profile);
  std::vector<std::optional<StackCall>> calls;
  const OwnCode own(profile);
  for (const Sample& sample : profile.samples) {
    const auto call = own.FirstOwn(profile, profile.StackFrames(sample.stack));
    calls.push_back(call ? std::optional(StackCall{call->frame, call->line})
                         : std::nullopt);
  }
  return calls;
}

std::vector<std::optional<StackCall>> LeafCalls(const Profile& profile) {
  std::vector<std::optional<StackCall>> calls;
  for (const Sample& sample : profile.samples) {
    const LocationId leaf = profile.StackFrames(sample.stack).front();
    calls.emplace_back(StackCall{
        .frame = 0, .line = profile.locations[leaf.index()].lines.first});
  }
  return calls;
}

std::vector<StoryRole> StoryRoles(const Profile& profile,
                                  const Options& options) {
  if (options.filters.options().own == "none") return {};
  const OwnCode own(profile);
  std::vector<StoryRole> roles(profile.lines.size());
  const std::vector<bool> is_telling = own.TellingLines(profile);
  for (uint32_t line = 0; line < roles.size(); ++line)
    if (is_telling[line])
      roles[line] = own.IsOwn(line) ? StoryRole::kOwn : StoryRole::kLibrary;
  return roles;
}

std::vector<bool> OwnLines(const Profile& profile) {
  const OwnCode own(profile);
  std::vector<bool> is_own;
  is_own.reserve(profile.lines.size());
  for (uint32_t line = 0; line < profile.lines.size(); ++line)
    is_own.push_back(own.IsOwn(line));
  return is_own;
}

}  // namespace heapprof
