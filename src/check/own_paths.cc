// SPDX-License-Identifier: Apache-2.0
#include "check/own_paths.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heapprof {
namespace {

// Returns by entry whether a call that it stands for is in own code.
std::vector<bool> OwnEntries(const Profile& profile,
                             const Comparison& comparison,
                             const std::vector<bool>& is_own) {
  std::vector<bool> own(comparison.entries.size());
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const auto entries = comparison.samples.Of(i);
    std::vector<uint32_t> lines;  // those that the entries stand for
    for (const LocationId id : profile.StackFrames(profile.samples[i].stack)) {
      const RowRange& range = profile.locations[id.index()].lines;
      for (uint32_t line = 0; line < range.count; ++line)
        lines.push_back(range.first + line);
    }
    if (lines.size() != entries.size()) continue;
    for (size_t k = 0; k < lines.size(); ++k)
      if (is_own[lines[k]]) own[entries[k]] = true;
  }
  return own;
}

}  // namespace

std::set<std::string> NamesOfOwnCode(const Profile& profile,
                                     const Comparison& comparison,
                                     const std::vector<bool>& is_own) {
  std::set<std::string> names;
  if (!comparison.is_cumulative || comparison.entries.empty()) return names;
  const std::vector<bool> own = OwnEntries(profile, comparison, is_own);
  for (size_t i = 0; i < own.size(); ++i)
    if (own[i]) names.insert(comparison.entries[i].name);
  return names;
}

void BeginWithOwnCode(const std::set<std::string>& own,
                      std::vector<std::string>& path) {
  const auto first = std::ranges::find_if(
      path, [&own](const std::string& name) { return own.contains(name); });
  if (first != path.end()) path.erase(path.begin(), first);
}

}  // namespace heapprof
