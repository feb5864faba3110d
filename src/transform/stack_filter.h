// SPDX-License-Identifier: Apache-2.0
//
// Applies the filters to one stack.
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

// The texts of a frame that a filter of this kind matches.
Subjects SubjectsOf(FilterKind kind);

// Changes `stack`, which is leaf first, as described in FilterOptions. kOwn
// leaves a stack without an own frame unchanged.
FilterOutcome ApplyFilter(FilterKind kind, const FrameMatches& matches,
                          std::vector<LocationPart>& stack);

}  // namespace heapprof
