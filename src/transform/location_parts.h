// SPDX-License-Identifier: Apache-2.0
//
// Locations that a transform adds to a profile: parts of existing locations,
// and frames that represent no code.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "heapprof/profile/profile_builder.h"

namespace heapprof {

// Some of the inlined calls of a location; `lines` is a run of Profile::lines
// within the location's own.
struct LocationPart {
  LocationId location;
  Run lines;
};

class LocationParts {
 public:
  // Adds to the profile of `builder`, which outlives this object.
  explicit LocationParts(ProfileBuilder& builder) : builder_(builder) {}

  // Returns the location itself if the part is all of it. Equal parts get one
  // location.
  LocationId LocationOf(const LocationPart& part);

 private:
  ProfileBuilder& builder_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, LocationId> parts_;
};

// Adds a frame such as "[allocator only]", which represents no code.
LocationId AddSyntheticLocation(std::string_view name, ProfileBuilder& builder);

}  // namespace heapprof
