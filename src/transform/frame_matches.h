// SPDX-License-Identifier: Apache-2.0
//
// Which frames of a profile a pattern matches. What of a frame is compared
// with the pattern depends on the filter.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/regex.h"
#include "transform/location_parts.h"

namespace heapprof {

// The texts of a frame, each of which may match.
struct Subjects {
  bool short_name = false;   // as in the rows of jeprof
  bool other_names = false;  // with template arguments; with all arguments
  bool place = false;        // "file:line", or "??:0"
  bool file = false;
  bool address = false;  // 16 digits, of the call
  bool module = false;   // path of the binary
};

class FrameMatches {
 public:
  // Looks at every frame once. An error if the pattern takes too long.
  static Result<FrameMatches> Find(const Profile& profile, const Regex& regex,
                                   const Subjects& subjects);

  // By location, and by line of Profile::lines.
  FrameMatches(std::vector<bool> locations, std::vector<bool> lines)
      : locations_(std::move(locations)), lines_(std::move(lines)) {}

  // By address or module, and thus all of the calls at this location.
  bool MatchesLocation(LocationId location) const {
    return locations_[location.index()];
  }
  // One call; `line` is an index of Profile::lines.
  bool MatchesLine(uint32_t line) const { return lines_[line]; }
  // Any of the calls.
  bool Matches(const LocationPart& part) const;

 private:
  std::vector<bool> locations_;
  std::vector<bool> lines_;
};

}  // namespace heapprof
