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

// What frames are told apart by, and thus what a row of a table stands for:
//   kFunctions   NAME
//   kLines       NAME FILE:LINE, of the call
//   kFiles       FILE; "[libc.so.6]" for code of that module without one
//   kAddresses   ADDRESS NAME FILE:LINE, the address in 16 digits and of the
//                call instruction, as pprof has it
//   kModules     PATH of the binary; "[unknown]" for code outside of any
// FILE:LINE is "??:0" where nothing is known. A frame that stands for no code,
// such as "[allocator only]", has its name in all of them.
enum class Granularity : uint8_t {
  kFunctions,
  kLines,
  kFiles,
  kAddresses,
  kModules,
};

// What NAME above is:
enum class NameForm : uint8_t {
  // Row labels of jeprof:
  //  * the short name of the function (no arguments, no template arguments),
  //  * with " (inline)" for an inlined call,
  //  * with "@<start address>" where several functions share a short name; in
  //    a comparison of two builds, whose addresses differ, with its arguments
  //    instead ("ns::parse(int)").
  kShort,
  // The functions' names and " (inline)": for when the names have the form
  // that the user asked for.
  kAsTheyAre,
  // The functions' names and nothing else: for stacks, whose frames tell by
  // their order what called what.
  kPlain,
};

struct LabelOptions {
  Granularity granularity = Granularity::kFunctions;
  NameForm names = NameForm::kShort;
};

// Equal labels have equal ids.
class FrameLabels {
 public:
  FrameLabels(const Profile& profile, const LabelOptions& options);

  // Label ids of a location's frames, innermost first. What is not told apart
  // is one frame: neighbours in one file, or all calls of a location in its
  // module.
  std::span<const uint32_t> Of(LocationId location) const {
    const Run run = runs_[location.index()];
    return std::span(ids_).subspan(run.first, run.count);
  }
  // The same of a whole stack, leaf first.
  std::vector<uint32_t> OfStack(std::span<const LocationId> frames) const;

  const std::string& Text(uint32_t id) const { return labels_[id]; }
  size_t size() const { return labels_.size(); }
  // Where it is not so, Of() has one label for each line of the location.
  bool merges_adjacent() const { return merges_adjacent_; }

 private:
  void AddFrame(uint32_t id, size_t first, std::vector<uint32_t>& to) const;

  bool merges_adjacent_ = false;
  std::vector<std::string> labels_;
  std::vector<uint32_t> ids_;  // frames of all locations, end to end
  std::vector<Run> runs_;      // by location
};

// jeprof tells functions with one short name apart only if their full name
// begins with it: overloads, but neither template instances nor functions with
// a return type in their name.
bool IsTaggedName(std::string_view full_name);

}  // namespace heapprof
