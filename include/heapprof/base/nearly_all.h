// SPDX-License-Identifier: Apache-2.0
//
// When a part counts as the whole. Stories tell the parts that hold an eighth
// of the memory or more (see src/view/story_limits.h), so what is left of a
// whole beside nearly all of it is not worth telling.
#pragma once

namespace heapprof {

inline constexpr double kNearlyAll = 7.0 / 8;

inline bool IsNearlyAll(double part, double whole) {
  return part >= kNearlyAll * whole;
}

inline bool IsNearlyNothing(double part, double whole) {
  return part < (1 - kNearlyAll) * whole;
}

}  // namespace heapprof
