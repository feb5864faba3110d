// SPDX-License-Identifier: Apache-2.0
//
// Adds locations to a profile: parts of existing locations, which lack some of
// their inlined calls, and locations for frames that represent no code.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "heapprof/profile/profile_builder.h"

namespace heapprof {

// Some of the calls at a location. `lines` is a part of Location::lines.
struct LocationPart {
  LocationId location;
  RowRange lines;
};

class LocationParts {
 public:
  // Adds the new locations to the profile of `builder`, which must outlive this
  // object.
  explicit LocationParts(ProfileBuilder& builder) : builder_(builder) {}

  // Returns a location that has only the lines of `part`: the original location
  // if the part has all of its lines, otherwise a new location. Equal parts
  // share one location.
  LocationId LocationOf(const LocationPart& part);

 private:
  ProfileBuilder& builder_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, LocationId> parts_;
};

// Adds a location for a frame such as "[allocator only]", which represents no
// code.
LocationId AddSyntheticLocation(std::string_view name, ProfileBuilder& builder);

}  // namespace heapprof
