// SPDX-License-Identifier: Apache-2.0
#include "transform/hidden_calls.h"

namespace heapprof {
namespace {

std::vector<Line> ShownLines(const Location& location,
                             const FrameMatches& matches,
                             const Profile& profile) {
  std::vector<Line> shown;
  for (uint32_t i = 0; i < location.lines.count; ++i)
    if (const uint32_t line = location.lines.first + i;
        !matches.MatchesLine(line))
      shown.push_back(profile.lines[line]);
  return shown;
}

}  // namespace

std::vector<LocationId> HideCalls(const FrameMatches& matches,
                                  ProfileBuilder& builder) {
  const Profile& profile = builder.profile();
  const auto count = static_cast<uint32_t>(profile.locations.size());
  std::vector<LocationId> shown(count);
  for (uint32_t i = 1; i < count; ++i) {
    const LocationId id{i};
    if (matches.MatchesLocation(id)) continue;
    Location location = profile.locations[i];
    const std::vector<Line> lines = ShownLines(location, matches, profile);
    if (lines.size() == location.lines.count) {
      shown[i] = id;
    } else if (!lines.empty()) {
      location.lines = builder.AddLines(lines);
      shown[i] = builder.AddLocation(location);
    }
  }
  return shown;
}

}  // namespace heapprof
