// SPDX-License-Identifier: Apache-2.0
//
// Finds the frames of a profile that a pattern matches. Subjects says which
// texts of a frame (names, file, ...) are matched.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"
#include "heapprof/profile/profile.h"
#include "transform/location_parts.h"

namespace heapprof {

// Which texts of a frame are compared with the pattern. The frame matches if
// one of them does.
struct Subjects {
  bool names = false;  // all ShownNames(), also with " (inline)" if it is
  bool place = false;  // "file:line" of the call; "??:0" if unknown
  bool file = false;
  bool address = false;  // of the call, in 16 hex digits
  bool module = false;   // path of the binary
};

class FrameMatches {
 public:
  // Examines every frame once. It is an error if the pattern takes too long.
  static Result<FrameMatches> Find(const Profile& profile, const Regex& regex,
                                   const Subjects& subjects);

  // `locations` is indexed by location, `lines` by line of Profile::lines.
  FrameMatches(std::vector<bool> locations, std::vector<bool> lines)
      : locations_(std::move(locations)), lines_(std::move(lines)) {}

  // True if the location's address or module matches. Then all calls at this
  // location match.
  bool MatchesLocation(LocationId location) const {
    return locations_[location.index()];
  }
  // True if this call matches; `line` is an index of Profile::lines.
  bool MatchesLine(uint32_t line) const { return lines_[line]; }
  // True if any call of `part` matches.
  bool Matches(const LocationPart& part) const;

 private:
  std::vector<bool> locations_;
  std::vector<bool> lines_;
};

}  // namespace heapprof
