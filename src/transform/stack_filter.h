// SPDX-License-Identifier: Apache-2.0
//
// What the filters do to one stack.
#pragma once

#include <cstdint>
#include <vector>

#include "transform/frame_matches.h"
#include "transform/location_parts.h"

namespace heapprof {

enum class FilterKind : uint8_t {
  kRetain,
  kExclude,
  kFocus,
  kIgnore,
  kModule,
  kHide,
  kShowFrom,
  kPruneFrom,
  kOwn,
};

enum class FilterOutcome : uint8_t { kUnchanged, kCut, kRemoved };

// What of a frame a filter of this kind looks at.
Subjects SubjectsOf(FilterKind kind);

// Changes `stack`, which is leaf first, as FilterOptions says. kOwn leaves a
// stack without an own frame as it is.
FilterOutcome ApplyFilter(FilterKind kind, const FrameMatches& matches,
                          std::vector<LocationPart>& stack);

}  // namespace heapprof
