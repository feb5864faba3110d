// SPDX-License-Identifier: Apache-2.0
#include "transform/location_parts.h"

namespace heapprof {

LocationId LocationParts::LocationOf(const LocationPart& part) {
  const Location& whole = builder_.profile().locations[part.location.index()];
  if (part.lines.count == whole.lines.count) return part.location;
  const auto [it, added] = parts_.try_emplace(
      {part.location.value, part.lines.first, part.lines.count});
  if (added) {
    Location location = whole;
    location.lines = part.lines;
    it->second = builder_.AddLocation(location);
  }
  return it->second;
}

LocationId AddSyntheticLocation(std::string_view name,
                                ProfileBuilder& builder) {
  const Line line = {
      .function = builder.InternFunction({.name = builder.InternString(name)})};
  return builder.AddLocation(
      {.is_return_address = false, .lines = builder.AddLines({&line, 1})});
}

}  // namespace heapprof
