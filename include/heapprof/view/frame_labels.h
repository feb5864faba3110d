// SPDX-License-Identifier: Apache-2.0
//
// What a frame is called in a report.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Row labels of jeprof's function reports, one per frame of each location:
//  * the short name of its function (no arguments, no template arguments),
//  * with " (inline)" for an inlined call,
//  * with "@<start address>" where several functions share a short name; in a
//    comparison of two builds, whose addresses differ, with its arguments
//    instead ("ns::parse(int)").
// Or, with `names_as_they_are`, the functions' names and " (inline)": for when
// the names have the form that the user asked for.
// Equal labels have equal ids.
class FrameLabels {
 public:
  explicit FrameLabels(const Profile& profile, bool names_as_they_are = false);

  // Label ids of a location's frames, innermost first.
  std::span<const uint32_t> Of(LocationId location) const {
    const Run run = runs_[location.index()];
    return std::span(ids_).subspan(run.first, run.count);
  }
  const std::string& Text(uint32_t id) const { return labels_[id]; }
  size_t size() const { return labels_.size(); }

 private:
  std::vector<std::string> labels_;
  std::vector<uint32_t> ids_;  // frames of all locations, end to end
  std::vector<Run> runs_;      // by location
};

// jeprof tells functions with one short name apart only if their full name
// begins with it: overloads, but neither template instances nor functions with
// a return type in their name.
bool IsTaggedName(std::string_view full_name);

}  // namespace heapprof
