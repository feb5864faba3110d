// SPDX-License-Identifier: Apache-2.0
#include "check/own_paths.h"

#include <algorithm>
#include <cstddef>

namespace heapprof {

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
