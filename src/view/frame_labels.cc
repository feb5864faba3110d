// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_labels.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/demangle/names.h"
#include "heapprof/profile/group_frames.h"
#include "heapprof/profile/line_place.h"
#include "heapprof/profile/mapping_names.h"
#include "heapprof/profile/synthetic_frame.h"

namespace heapprof {
namespace {

// What determines the label of a frame: frames with the same source have the
// same label.
struct LabelSource {
  size_t number = 0;    // less than Labeller::SourceCount()
  uint32_t detail = 0;  // the line or, if labels are split by code, the mapping

  bool operator==(const LabelSource&) const = default;
};

class Labeller {
 public:
  Labeller(const Profile& profile, const LabelOptions& options)
      : profile_(profile),
        granularity_(options.granularity),
        marks_inlined_(options.marks_inlined),
        splits_by_code_(options.splits_by_code),
        names_(profile, options.names, options.jobs) {}

  // Returns the label of a frame: of `line`, which must be one of the lines of
  // `location`.
  std::string Label(const Location& location, const Line& line) const {
    const bool inlined = marks_inlined_ && IsInlined(location, line);
    const Function& function = profile_.functions[line.function.index()];
    if (granularity_ == Granularity::kGroups)
      return std::string(GroupOfFrame(profile_.String(function.name)));
    if (IsSynthetic(profile_, location))
      return names_.NameOf(line.function, inlined);
    switch (granularity_) {
      case Granularity::kFunctions:
        return names_.NameOf(line.function, inlined);
      case Granularity::kLines:
        return fmt::format("{} {}", names_.NameOf(line.function, inlined),
                           PlaceOf(profile_, line));
      case Granularity::kFiles:
        return FileOf(location, function);
      case Granularity::kAddresses:
        return fmt::format(
            "{:016x} {} {}", CallSiteAddress(location, location.address),
            names_.NameOf(line.function, inlined), PlaceOf(profile_, line));
      case Granularity::kModules:
        return std::string(ModuleOf(location));
      case Granularity::kGroups:
        break;
    }
    return "";
  }

  // Returns nothing if only the label itself can be compared.
  std::optional<LabelSource> SourceOf(const Location& location,
                                      const Line& line) const {
    const Function& function = profile_.functions[line.function.index()];
    if (granularity_ == Granularity::kAddresses ||
        IsSynthetic(profile_, location))
      return std::nullopt;
    if (granularity_ == Granularity::kModules)
      return LabelSource{location.mapping.index()};
    if (granularity_ == Granularity::kFiles)
      return LabelSource{function.filename.IsNone()
                             ? location.mapping.index()
                             : profile_.mappings.size() +
                                   function.filename.index()};
    LabelSource source = {2 * line.function.index() +
                          (IsInlined(location, line) ? 1 : 0)};
    if (granularity_ == Granularity::kLines) source.detail = line.line;
    if (splits_by_code_)
      source.detail = static_cast<uint32_t>(location.mapping.index());
    return source;
  }
  size_t SourceCount() const {
    return granularity_ == Granularity::kFiles ||
                   granularity_ == Granularity::kModules
               ? profile_.mappings.size() + profile_.strings.size()
               : 2 * profile_.functions.size();
  }

  bool HasLabels(const Location& location) const {
    return granularity_ != Granularity::kGroups || location.is_group;
  }

  LabelCode CodeOf(const Location& location, const Line& line) const {
    const Function& function = profile_.functions[line.function.index()];
    LabelCode code = {.module =
                          profile_.mappings[location.mapping.index()].filename};
    if (granularity_ == Granularity::kModules) return code;
    code.file = function.filename;
    if (granularity_ == Granularity::kFiles || function.unresolved ||
        IsSynthetic(profile_, location))
      return code;
    code.function = function.name;
    code.line = granularity_ == Granularity::kFunctions ? function.start_line
                                                        : line.line;
    return code;
  }

 private:
  bool IsInlined(const Location& location, const Line& line) const {
    return &line != &profile_.LocationLines(location).back();
  }

  std::string FileOf(const Location& location, const Function& function) const {
    if (!function.filename.IsNone())
      return std::string(profile_.String(function.filename));
    const std::string_view module = BaseName(ModuleOf(location));
    return module.starts_with('[') ? std::string(module)
                                   : fmt::format("[{}]", module);
  }

  std::string_view ModuleOf(const Location& location) const {
    const StringId path = profile_.mappings[location.mapping.index()].filename;
    return path.IsNone() ? kNoMapping : profile_.String(path);
  }

  const Profile& profile_;
  const Granularity granularity_;
  const bool marks_inlined_;
  const bool splits_by_code_;
  const FunctionNames names_;
};

// Interns labels. Makes the text of a label only once for all frames that must
// have the same one, because there may be millions of frames.
class LabelIds {
 public:
  LabelIds(const Profile& profile, const LabelOptions& options,
           std::vector<std::string>& labels,
           const std::vector<LabelCode>& codes)
      : labeller_(profile, options),
        splits_by_code_(options.splits_by_code),
        labels_(labels),
        codes_(codes),
        by_source_(labeller_.SourceCount()) {}

  uint32_t Of(const Location& location, const Line& line) {
    const std::optional<LabelSource> source =
        labeller_.SourceOf(location, line);
    if (!source) return Intern(location, line);
    uint32_t& id = source->detail == 0 ? by_source_[source->number]
                                       : ByDetail(*source).label;
    if (id == 0) id = Intern(location, line) + 1;
    return id - 1;
  }

  const Labeller& labeller() const { return labeller_; }

 private:
  struct LabelOfDetail {
    LabelSource source;
    uint32_t label = 0;  // like an element of by_source_
  };

  LabelOfDetail& ByDetail(const LabelSource& source) {
    const uint64_t hash = HashOfPair(source.number, source.detail);
    uint32_t number = detail_index_.Find(
        hash, [&](uint32_t i) { return by_detail_[i - 1].source == source; });
    if (number == 0) {
      by_detail_.push_back({source});
      number = static_cast<uint32_t>(by_detail_.size());
      detail_index_.Add(hash, number);
    }
    return by_detail_[number - 1];
  }

  uint32_t Intern(const Location& location, const Line& line) {
    std::string label = labeller_.Label(location, line);
    uint64_t hash = HashOfText(label);
    LabelCode code;
    if (splits_by_code_) {
      code = labeller_.CodeOf(location, line);
      hash = AddToHash(AddToHash(hash, code.file.index()), code.module.index());
    }
    uint32_t number = index_.Find(hash, [&](uint32_t known) {
      return labels_[known - 1] == label &&
             (!splits_by_code_ || IsSameCode(codes_[known - 1], code));
    });
    if (number == 0) {
      labels_.push_back(std::move(label));
      number = static_cast<uint32_t>(labels_.size());
      index_.Add(hash, number);
    }
    return number - 1;
  }

  static bool IsSameCode(const LabelCode& a, const LabelCode& b) {
    return a.file == b.file && a.module == b.module;
  }

  const Labeller labeller_;
  const bool splits_by_code_;
  std::vector<std::string>& labels_;
  const std::vector<LabelCode>& codes_;  // of `labels_`
  IdTable index_;                        // each entry is a label id plus one
  // By LabelSource::number, for sources without a detail: the label id plus
  // one; 0: not known yet.
  std::vector<uint32_t> by_source_;
  std::vector<LabelOfDetail> by_detail_;
  IdTable detail_index_;  // indices into by_detail_, plus 1
};

}  // namespace

FrameLabels::FrameLabels(const Profile& profile, const LabelOptions& options)
    : jobs_(options.jobs),
      merges_adjacent_(options.granularity == Granularity::kFiles ||
                       options.granularity == Granularity::kModules) {
  LabelIds label_ids(profile, options, labels_, codes_);
  ranges_.reserve(profile.locations.size());
  for (const Location& location : profile.locations) {
    const size_t first = ids_.size();
    const auto lines = label_ids.labeller().HasLabels(location)
                           ? profile.LocationLines(location)
                           : std::span<const Line>();
    for (const Line& line : lines) {
      const uint32_t id = label_ids.Of(location, line);
      AddFrame(id, first, ids_);
      if (options.with_code)
        NoteCode(id, label_ids.labeller().CodeOf(location, line));
    }
    ranges_.push_back({static_cast<uint32_t>(first),
                       static_cast<uint32_t>(ids_.size() - first)});
  }
}

std::vector<uint32_t> FrameLabels::OfStack(
    std::span<const LocationId> frames) const {
  std::vector<uint32_t> stack;
  stack.reserve(2 * frames.size());  // some frames have inlined calls
  for (const LocationId frame : frames)
    for (const uint32_t id : Of(frame)) AddFrame(id, 0, stack);
  return stack;
}

std::vector<uint32_t> FrameLabels::UsedBy(
    const Profile& profile, std::span<const StackId> stacks) const {
  // There may be a thousand times as many frames as locations.
  std::vector<uint8_t> has_location(profile.locations.size());
  for (const StackId stack : stacks)
    for (const LocationId location : profile.StackFrames(stack))
      has_location[location.index()] = 1;
  std::vector<bool> is_used(labels_.size());
  for (uint32_t i = 0; i < has_location.size(); ++i)
    if (has_location[i] != 0)
      for (const uint32_t id : Of(LocationId{i})) is_used[id] = true;
  std::vector<uint32_t> used;
  for (uint32_t id = 0; id < labels_.size(); ++id)
    if (is_used[id]) used.push_back(id);
  std::ranges::stable_sort(used, {}, [this](uint32_t id) -> const std::string& {
    return labels_[id];
  });
  return used;
}

// Records the code of a frame whose label is `id`. If the label is new, `id`
// must be codes_.size(). Otherwise, keeps only what all frames with this label
// have in common.
void FrameLabels::NoteCode(uint32_t id, const LabelCode& code) {
  if (id == codes_.size()) {
    codes_.push_back(code);
    return;
  }
  LabelCode& noted = codes_[id];
  if (noted.function != code.function) noted.function = {};
  if (noted.file != code.file) noted.file = {};
  if (noted.module != code.module) noted.module = {};
  if (noted.file.IsNone()) noted.line = 0;
}

// Appends the label `id` to `to`. If adjacent equal labels are merged, does
// nothing if the last label in `to` is the same. Ignores labels before index
// `first`, which belong to another location.
void FrameLabels::AddFrame(uint32_t id, size_t first,
                           std::vector<uint32_t>& to) const {
  const bool repeats = to.size() > first && to.back() == id;
  if (!repeats || !merges_adjacent_) to.push_back(id);
}

}  // namespace heapprof
