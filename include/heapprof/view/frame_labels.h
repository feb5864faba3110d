// SPDX-License-Identifier: Apache-2.0
//
// The names of frames in a report.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// What a row of a table stands for: frames with the same label share a row.
//   kFunctions   NAME
//   kLines       NAME FILE:LINE, where FILE:LINE is the place of the call
//   kFiles       FILE; "[libc.so.6]" for code of that module without a file
//   kAddresses   ADDRESS NAME FILE:LINE, where ADDRESS is that of the call
//                instruction, in 16 digits, as in pprof
//   kModules     PATH of the binary; "[unknown]" for code outside any binary
// FILE:LINE is "??:0" if it is unknown. A frame that represents no code, such
// as "[allocator only]", is always labelled with its name.
enum class Granularity : uint8_t {
  kFunctions,
  kLines,
  kFiles,
  kAddresses,
  kModules,
};

// The form of NAME above:
enum class NameForm : uint8_t {
  // jeprof's row labels:
  //  * the short name of the function (no arguments, no template arguments),
  //  * with " (inline)" for an inlined call,
  //  * with "@<start address>" if several functions share a short name; in a
  //    comparison of two builds, whose addresses differ, with the arguments
  //    instead ("ns::parse(int)").
  kShort,
  // The functions' names with " (inline)": used if names already have the form
  // that the user chose.
  kAsTheyAre,
  // Only the functions' names: used for stacks, in which the order of frames
  // shows what called what.
  kPlain,
};

struct LabelOptions {
  Granularity granularity = Granularity::kFunctions;
  NameForm names = NameForm::kShort;
};

// Labels of frames, as ids. Equal labels have equal ids.
class FrameLabels {
 public:
  FrameLabels(const Profile& profile, const LabelOptions& options);

  // Label ids of a location's frames, innermost first. Adjacent frames of one
  // file, or all frames of a module, become one if files or modules are the
  // rows.
  std::span<const uint32_t> Of(LocationId location) const {
    const Run run = runs_[location.index()];
    return std::span(ids_).subspan(run.first, run.count);
  }
  // The label ids of a whole stack, leaf first.
  std::vector<uint32_t> OfStack(std::span<const LocationId> frames) const;

  const std::string& Text(uint32_t id) const { return labels_[id]; }
  size_t size() const { return labels_.size(); }
  // If false, Of() has one label for each line of the location.
  bool merges_adjacent() const { return merges_adjacent_; }

 private:
  void AddFrame(uint32_t id, size_t first, std::vector<uint32_t>& to) const;

  bool merges_adjacent_ = false;
  std::vector<std::string> labels_;
  std::vector<uint32_t>
      ids_;                // the frames of all locations, one after the other
  std::vector<Run> runs_;  // by location
};

// True if jeprof would distinguish functions that share this short name: it
// does so only if the full name begins with the short one. That is true for
// overloads, but not for template instances or functions with a return type in
// their name.
bool IsTaggedName(std::string_view full_name);

}  // namespace heapprof
