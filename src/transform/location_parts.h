// SPDX-License-Identifier: Apache-2.0
//
// Locations that a transform adds to a profile: parts of others, and frames
// that stand for no code.
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

  // The location itself if the part is all of it. Equal parts are one location.
  LocationId LocationOf(const LocationPart& part);

 private:
  ProfileBuilder& builder_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, LocationId> parts_;
};

// A frame such as "[allocator only]", which stands for no code.
LocationId AddSyntheticLocation(std::string_view name, ProfileBuilder& builder);

}  // namespace heapprof
