// SPDX-License-Identifier: Apache-2.0
//
// The names of frames in a report.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/function_names.h"

namespace heapprof {

// What a row of a table stands for: frames with the same label share a row.
//   kFunctions   NAME
//   kLines       NAME FILE:LINE, where FILE:LINE is the place of the call
//   kFiles       FILE; if it is unknown, the module: "[libc.so.6]"
//   kAddresses   ADDRESS NAME FILE:LINE, where ADDRESS is that of the call
//                instruction, in 16 digits, as in pprof
//   kModules     PATH of the binary; "[unknown]" for code outside any binary
//   kGroups      NAME of the group; only the roots of AddGroupRoots() have one
// FILE:LINE is "??:0" if it is unknown. A frame that represents no code, such
// as "[allocator only]", is always labelled with its name.
enum class Granularity : uint8_t {
  kFunctions,
  kLines,
  kFiles,
  kAddresses,
  kModules,
  kGroups,
};

struct LabelOptions {
  Granularity granularity = Granularity::kFunctions;
  NameForm names = NameForm::kShort;
  bool with_code = false;     // makes FrameLabels::CodeOf() available
  bool marks_inlined = true;  // false: no " (inline)", whatever `names` says
  // For kFunctions, together with `with_code`: frames whose code is in
  // different source files or binaries have different labels, even if their
  // texts are equal.
  bool splits_by_code = false;
  // For kLines, together with `with_code`: texts are only the names; the places
  // are in the codes, and tell labels apart. Long names with a place each would
  // take most of the time and memory of a table of all lines.
  bool omits_places = false;
  // For FrameLabels::IsOwn(): by row of Profile::lines, whether it is own code.
  // Null or empty: none is.
  const std::vector<bool>* own_lines = nullptr;
  unsigned jobs = 1;  // threads that make names or sums
};

// The code that a label stands for. A member is none (or 0) if it is unknown or
// if it is not the same for all frames with this label.
struct LabelCode {
  StringId function = {};  // the full name
  StringId file = {};
  // If rows are lines or addresses, the line of the call; if rows are
  // functions, the line where the function starts. If the label has frames with
  // different lines of one file, the line of the first of these frames.
  uint32_t line = 0;
  StringId module = {};  // path of the binary
  // False if no frame with the label is one of code: "[allocator only]".
  bool is_place = true;
};

// The labels of all frames of a profile. Each distinct label has an id: two
// frames have the same id if and only if their labels are equal (but see
// LabelOptions::splits_by_code and omits_places).
class FrameLabels {
 public:
  FrameLabels(const Profile& profile, const LabelOptions& options);

  // The label ids of a location's frames, innermost first. If labels are files
  // or modules, adjacent frames with the same label have only one id.
  std::span<const uint32_t> Of(LocationId location) const {
    const RowRange range = ranges_[location.index()];
    return std::span(ids_).subspan(range.first, range.count);
  }
  // Returns the label to which tables charge a stack: that of the frame nearest
  // the leaf that has one; nothing if none has.
  std::optional<uint32_t> LeafOf(std::span<const LocationId> frames) const {
    for (const LocationId frame : frames)
      if (const auto ids = Of(frame); !ids.empty()) return ids.front();
    return std::nullopt;
  }
  // The label ids of a whole stack, leaf first.
  std::vector<uint32_t> OfStack(std::span<const LocationId> frames) const;

  // Returns the label ids of the frames of these stacks, each once, in byte
  // order of their texts. Labels with equal texts are in the order of their
  // ids.
  std::vector<uint32_t> UsedBy(const Profile& profile,
                               std::span<const StackId> stacks) const;

  const std::string& Text(uint32_t id) const { return texts_[text_of_[id]]; }
  // The different texts, and the index there of the text of each label.
  const std::vector<std::string>& texts() const { return texts_; }
  const std::vector<uint32_t>& text_of() const { return text_of_; }
  // Returns texts(); they can no longer be asked for afterwards.
  std::vector<std::string> TakeTexts() { return std::move(texts_); }
  // The ranks of these texts in byte order.
  std::vector<uint32_t> TextRanks() const;
  const LabelCode& CodeOf(uint32_t id) const { return codes_[id]; }
  // True if a frame with this label is own code.
  bool IsOwn(uint32_t id) const { return !are_own_.empty() && are_own_[id]; }
  size_t size() const { return text_of_.size(); }
  unsigned jobs() const { return jobs_; }
  // True if adjacent frames with the same label have only one id. If false,
  // Of() has one id for each Line of the location.
  bool merges_adjacent() const { return merges_adjacent_; }

 private:
  void AddFrame(uint32_t id, size_t first, std::vector<uint32_t>& to) const;
  void NoteCode(uint32_t id, const LabelCode& code);

  unsigned jobs_ = 1;
  bool merges_adjacent_ = false;
  std::vector<std::string> texts_;
  std::vector<uint32_t> text_of_;  // by label
  std::vector<LabelCode> codes_;   // by label, or empty
  std::vector<bool> are_own_;      // by label, or empty
  // Label ids of all locations, one location after the other.
  std::vector<uint32_t> ids_;
  std::vector<RowRange> ranges_;  // by location: its part of `ids_`
};

}  // namespace heapprof
