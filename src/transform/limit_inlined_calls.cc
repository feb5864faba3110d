// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/limit_inlined_calls.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heapprof/base/inlined_calls.h"

namespace heapprof {
namespace {

// Returns how often stacks contain each location.
std::vector<uint32_t> Occurrences(const Profile& profile) {
  std::vector<uint32_t> occurrences(profile.locations.size());
  for (const RowRange stack : profile.stacks)
    for (uint32_t i = 0; i < stack.count; ++i)
      ++occurrences[profile.frames[stack.first + i].index()];
  return occurrences;
}

bool IsWithinLimit(const Profile& profile,
                   const std::vector<uint32_t>& occurrences,
                   uint32_t most_calls) {
  uint64_t addresses = 0;
  uint64_t calls = 0;
  for (size_t i = 0; i < occurrences.size(); ++i) {
    addresses += occurrences[i];
    calls += uint64_t{occurrences[i]} *
             std::min(profile.locations[i].lines.count, most_calls);
  }
  return calls <= AllowedCalls(addresses);
}

}  // namespace

std::optional<LimitedCalls> LimitInlinedCalls(Profile& profile) {
  uint32_t most_calls = 0;
  for (const Location& location : profile.locations)
    most_calls = std::max(most_calls, location.lines.count);
  if (most_calls <= kCallsPerAddress) return std::nullopt;
  const std::vector<uint32_t> occurrences = Occurrences(profile);
  if (IsWithinLimit(profile, occurrences, most_calls)) return std::nullopt;
  do {
    most_calls = std::max(most_calls / 2, kCallsPerAddress);
  } while (!IsWithinLimit(profile, occurrences, most_calls));

  LimitedCalls limited = {.kept = most_calls};
  for (Location& location : profile.locations) {
    RowRange& lines = location.lines;
    if (lines.count <= most_calls) continue;
    profile.lines[lines.first + most_calls - 1] =
        profile.lines[lines.first + lines.count - 1];
    lines.count = most_calls;
    ++limited.locations;
  }
  return limited;
}

}  // namespace heapprof
