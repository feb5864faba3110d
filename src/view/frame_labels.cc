// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_labels.h"

#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/id_table.h"
#include "heapprof/demangle/names.h"
#include "heapprof/profile/group_frames.h"

namespace heapprof {
namespace {

class Labeller {
 public:
  Labeller(const Profile& profile, const LabelOptions& options)
      : profile_(profile),
        granularity_(options.granularity),
        marks_inlined_(options.marks_inlined),
        names_(profile, options.names) {}

  // Returns the label of a frame: of `line`, which must be one of the lines of
  // `location`.
  std::string Label(const Location& location, const Line& line) const {
    const bool inlined =
        marks_inlined_ && &line != &profile_.LocationLines(location).back();
    const Function& function = profile_.functions[line.function.index()];
    if (granularity_ == Granularity::kGroups)
      return std::string(GroupOfFrame(profile_.String(function.name)));
    if (IsSynthetic(location, function))
      return names_.NameOf(line.function, inlined);
    switch (granularity_) {
      case Granularity::kFunctions:
        return names_.NameOf(line.function, inlined);
      case Granularity::kLines:
        return fmt::format("{} {}", names_.NameOf(line.function, inlined),
                           PlaceOf(function, line));
      case Granularity::kFiles:
        return FileOf(location, function);
      case Granularity::kAddresses:
        return fmt::format(
            "{:016x} {} {}", CallSiteAddress(location, location.address),
            names_.NameOf(line.function, inlined), PlaceOf(function, line));
      case Granularity::kModules:
        return std::string(ModuleOf(location));
      case Granularity::kGroups:
        break;
    }
    return "";
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
        IsSynthetic(location, function))
      return code;
    code.function = function.name;
    code.line = granularity_ == Granularity::kFunctions ? function.start_line
                                                        : line.line;
    return code;
  }

 private:
  // True for "[allocator only]" and similar frames.
  bool IsSynthetic(const Location& location, const Function& function) const {
    return location.address == 0 && location.mapping.IsNone() &&
           profile_.String(function.name).starts_with('[');
  }

  std::string PlaceOf(const Function& function, const Line& line) const {
    return function.filename.IsNone()
               ? "??:0"
               : fmt::format("{}:{}", profile_.String(function.filename),
                             line.line);
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
    return path.IsNone() ? "[unknown]" : profile_.String(path);
  }

  const Profile& profile_;
  const Granularity granularity_;
  const bool marks_inlined_;
  const FunctionNames names_;
};

// Interns labels, with a cache for those that depend only on the function.
class LabelIds {
 public:
  LabelIds(const Profile& profile, const LabelOptions& options,
           std::vector<std::string>& labels)
      : profile_(profile),
        labeller_(profile, options),
        labels_(labels),
        by_function_(options.granularity == Granularity::kFunctions
                         ? profile.functions.size()
                         : 0) {}

  uint32_t Of(const Location& location, const Line& line) {
    if (by_function_.empty()) return Intern(labeller_.Label(location, line));
    const bool inlined = &line != &profile_.LocationLines(location).back();
    uint32_t& id = by_function_[line.function.index()][inlined ? 1 : 0];
    if (id == 0) id = Intern(labeller_.Label(location, line)) + 1;
    return id - 1;
  }

  const Labeller& labeller() const { return labeller_; }

 private:
  uint32_t Intern(std::string label) {
    const uint64_t hash = std::hash<std::string>()(label);
    uint32_t number = index_.Find(
        hash, [&](uint32_t known) { return labels_[known - 1] == label; });
    if (number == 0) {
      labels_.push_back(std::move(label));
      number = static_cast<uint32_t>(labels_.size());
      index_.Add(hash, number);
    }
    return number - 1;
  }

  const Profile& profile_;
  const Labeller labeller_;
  std::vector<std::string>& labels_;
  IdTable index_;  // each entry is a label id plus one
  // By function: the label id of the function itself, and that of inlined calls
  // to it. Both are stored plus one; 0: not known yet.
  std::vector<std::array<uint32_t, 2>> by_function_;
};

}  // namespace

FrameLabels::FrameLabels(const Profile& profile, const LabelOptions& options)
    : merges_adjacent_(options.granularity == Granularity::kFiles ||
                       options.granularity == Granularity::kModules) {
  LabelIds label_ids(profile, options, labels_);
  runs_.reserve(profile.locations.size());
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
    runs_.push_back({static_cast<uint32_t>(first),
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
