// SPDX-License-Identifier: Apache-2.0
#include "check/own_paths.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heapprof {

std::vector<bool> OwnEntries(const Profile& profile,
                             const Comparison& comparison,
                             const std::vector<bool>& is_own) {
  std::vector<bool> own(comparison.entries.size(), !comparison.is_cumulative);
  if (!comparison.is_cumulative) return own;
  std::vector<uint32_t> lines;  // those that the entries of a stack stand for
  for (uint32_t stack = 0; stack < profile.stacks.size(); ++stack) {
    const auto entries = comparison.samples.OfRow(stack);
    if (entries.empty()) continue;
    lines.clear();
    for (const LocationId id : profile.StackFrames({stack})) {
      const RowRange& range = profile.locations[id.index()].lines;
      for (uint32_t line = 0; line < range.count; ++line)
        lines.push_back(range.first + line);
    }
    // A module stands for all inlined calls at an address.
    const bool is_known = lines.size() == entries.size();
    for (size_t k = 0; k < entries.size(); ++k)
      if (!is_known || is_own[lines[k]]) own[entries[k]] = true;
  }
  return own;
}

void AddLeaves(const Comparison& comparison, std::vector<bool>& entries) {
  for (size_t i = 0; i < comparison.samples.ranges.size(); ++i)
    if (const auto stack = comparison.samples.OfRow(i); !stack.empty())
      entries[stack.front()] = true;
}

void BeginWithOwnCode(const std::set<std::string>& own,
                      std::vector<std::string>& path) {
  const auto first = std::ranges::find_if(
      path, [&own](const std::string& name) { return own.contains(name); });
  if (first != path.end()) path.erase(path.begin(), first);
}

}  // namespace heapprof
