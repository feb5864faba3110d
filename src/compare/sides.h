// SPDX-License-Identifier: Apache-2.0
//
// Which sides of a comparison use a location or a mapping.
#pragma once

#include <cstdint>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// A set of sides, as the sum of their bits.
using SideSet = uint8_t;

inline constexpr SideSet kNoSide = 0;
inline constexpr SideSet kBothSides = 3;

constexpr SideSet SideBit(Side side) { return side == Side::kNew ? 1 : 2; }

// Returns the sides that have samples with each location, by LocationId.
std::vector<SideSet> SidesOfLocations(const Profile& profile);

// Returns the sides that have samples in each mapping, by MappingId.
// `locations` is the result of SidesOfLocations(), here and below.
std::vector<SideSet> SidesOfMappings(const Profile& profile,
                                     const std::vector<SideSet>& locations);

// Returns which mappings are on both sides, by MappingId: their addresses mean
// the same on both. A file is not shared if there is another build of it, too:
// the runs of a side may be of several builds.
std::vector<bool> SharedMappings(const Profile& profile,
                                 const std::vector<SideSet>& locations);

// True if samples are in several builds of a file.
bool HasSeveralBuilds(const Profile& profile,
                      const std::vector<SideSet>& locations);

// Numbers the mappings so that those of one file have one number, by MappingId:
// those with one base name and, because a build may have another name, those of
// the only name of each side that the other side lacks.
std::vector<uint32_t> ModuleNumbers(const Profile& profile,
                                    const std::vector<SideSet>& locations);

}  // namespace heapprof
