// SPDX-License-Identifier: Apache-2.0
#include "transform/sides.h"

namespace heapprof {

std::vector<SideSet> SidesOfLocations(const Profile& profile) {
  std::vector<SideSet> sides(profile.locations.size());
  for (const Sample& sample : profile.samples)
    for (const LocationId frame : profile.StackFrames(sample.stack))
      sides[frame.index()] |= SideBit(sample.side);
  return sides;
}

std::vector<bool> SharedMappings(const Profile& profile,
                                 const std::vector<SideSet>& locations) {
  std::vector<SideSet> sides(profile.mappings.size());
  for (size_t i = 0; i < locations.size(); ++i)
    sides[profile.locations[i].mapping.index()] |= locations[i];
  std::vector<bool> shared;
  for (size_t i = 0; i < sides.size(); ++i)
    shared.push_back(i != 0 && sides[i] == kBothSides);
  return shared;
}

}  // namespace heapprof
