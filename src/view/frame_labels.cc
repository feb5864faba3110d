// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_labels.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/fast_sort.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
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
        omits_places_(options.omits_places),
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
        if (omits_places_) return names_.NameOf(line.function, inlined);
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
    code.is_place = !IsSynthetic(profile_, location);
    if (granularity_ == Granularity::kFiles || function.unresolved ||
        !code.is_place)
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
  const bool omits_places_;
  const FunctionNames names_;
};

// The label of a frame, and whether the label's code is known to include that
// of the frame.
struct FrameLabel {
  uint32_t id = 0;
  bool has_code = false;
};

// Interns labels. Makes the text of a label only once for all frames that must
// have the same one, because there may be millions of frames.
class LabelIds {
 public:
  // Adds to `texts` and `text_of`.
  LabelIds(const Profile& profile, const LabelOptions& options,
           std::vector<std::string>& texts, std::vector<uint32_t>& text_of)
      : labeller_(profile, options),
        splits_by_code_(options.splits_by_code),
        omits_places_(options.omits_places),
        texts_(texts),
        text_of_(text_of),
        by_source_(labeller_.SourceCount()) {
    if (omits_places_) text_of_source_.resize(by_source_.size());
  }

  FrameLabel Of(const Location& location, const Line& line) {
    const std::optional<LabelSource> source =
        labeller_.SourceOf(location, line);
    if (!source) return {LabelWith(InternText(location, line), location, line)};
    KnownLabel& known = source->detail == 0 ? by_source_[source->number]
                                            : ByDetail(*source).label;
    if (known.number == 0)
      known.number =
          LabelWith(TextOf(*source, location, line), location, line) + 1;
    const auto mapping = static_cast<uint32_t>(location.mapping.index()) + 1;
    // The source and the mapping determine the code.
    const bool has_code = std::exchange(known.mapping, mapping) == mapping;
    return {known.number - 1, has_code};
  }

  const Labeller& labeller() const { return labeller_; }

 private:
  struct KnownLabel {
    uint32_t number = 0;   // label id + 1; 0: not known yet
    uint32_t mapping = 0;  // that of the last frame, + 1
  };
  struct LabelOfDetail {
    LabelSource source;
    KnownLabel label;
  };
  // What tells labels with equal texts apart.
  struct LabelKey {
    uint32_t text = 0;  // index
    StringId file = {};
    uint32_t detail = 0;  // the line or the module
    bool is_place = false;

    bool operator==(const LabelKey&) const = default;
  };

  LabelOfDetail& ByDetail(const LabelSource& source) {
    const uint32_t i = detail_index_.FindOrAddIndex(
        HashOfPair(source.number, source.detail), by_detail_.size(),
        [&](uint32_t known) { return by_detail_[known].source == source; });
    if (i == by_detail_.size()) by_detail_.push_back({source, {}});
    return by_detail_[i];
  }

  uint32_t TextOf(const LabelSource& source, const Location& location,
                  const Line& line) {
    if (!omits_places_) return InternText(location, line);
    uint32_t& text = text_of_source_[source.number];
    if (text == 0) text = InternText(location, line) + 1;
    return text - 1;
  }

  // Makes the text of a frame, and returns its index.
  uint32_t InternText(const Location& location, const Line& line) {
    std::string text = labeller_.Label(location, line);
    const uint32_t i = text_index_.FindOrAddIndex(
        HashOfText(text), texts_.size(),
        [&](uint32_t known) { return texts_[known] == text; });
    if (i == texts_.size()) texts_.push_back(std::move(text));
    return i;
  }

  uint32_t LabelWith(uint32_t text, const Location& location,
                     const Line& line) {
    if (!splits_by_code_ && !omits_places_) {
      if (text == text_of_.size()) text_of_.push_back(text);
      return text;
    }
    const LabelCode code = labeller_.CodeOf(location, line);
    const LabelKey key = {
        text, code.file,
        omits_places_ ? code.line : static_cast<uint32_t>(code.module.index()),
        code.is_place};
    const uint64_t hash = AddToHash(
        HashOfPair(key.text, key.file.index()),
        uint64_t{key.detail} << 1 | static_cast<uint64_t>(key.is_place));
    const uint32_t id = key_index_.FindOrAddIndex(
        hash, keys_.size(),
        [&](uint32_t known) { return keys_[known] == key; });
    if (id == keys_.size()) {
      keys_.push_back(key);
      text_of_.push_back(text);
    }
    return id;
  }

  const Labeller labeller_;
  const bool splits_by_code_;
  const bool omits_places_;
  std::vector<std::string>& texts_;
  std::vector<uint32_t>& text_of_;  // by label
  IdTable text_index_;
  std::vector<LabelKey> keys_;  // by label, if texts may be equal
  IdTable key_index_;
  // By LabelSource::number.
  std::vector<KnownLabel> by_source_;     // of sources without a detail
  std::vector<uint32_t> text_of_source_;  // index + 1; 0: not known yet
  std::vector<LabelOfDetail> by_detail_;
  IdTable detail_index_;
};

}  // namespace

FrameLabels::FrameLabels(const Profile& profile, const LabelOptions& options)
    : jobs_(options.jobs),
      merges_adjacent_(options.granularity == Granularity::kFiles ||
                       options.granularity == Granularity::kModules) {
  LabelIds label_ids(profile, options, texts_, text_of_);
  ranges_.reserve(profile.locations.size());
  for (const Location& location : profile.locations) {
    const size_t first = ids_.size();
    const auto lines = label_ids.labeller().HasLabels(location)
                           ? profile.LocationLines(location)
                           : std::span<const Line>();
    for (const Line& line : lines) {
      const auto [id, has_code] = label_ids.Of(location, line);
      AddFrame(id, first, ids_);
      if (options.with_code && !has_code)
        NoteCode(id, label_ids.labeller().CodeOf(location, line));
      if (options.own_lines != nullptr && !options.own_lines->empty()) {
        are_own_.resize(size());
        const auto row = static_cast<size_t>(&line - profile.lines.data());
        if ((*options.own_lines)[row]) are_own_[id] = true;
      }
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

std::vector<uint32_t> FrameLabels::TextRanks() const {
  std::vector<uint32_t> order(texts_.size());
  std::iota(order.begin(), order.end(), 0u);
  // Names of C++ share long prefixes, which a sort that compares would read
  // again for each comparison.
  SortByText(order.begin(), order.end(),
             [this](uint32_t i) { return std::string_view(texts_[i]); });
  std::vector<uint32_t> ranks(order.size());
  for (uint32_t rank = 0; rank < order.size(); ++rank)
    ranks[order[rank]] = rank;
  return ranks;
}

std::vector<uint32_t> FrameLabels::UsedBy(
    const Profile& profile, std::span<const StackId> stacks) const {
  // There may be a thousand times as many frames as locations.
  std::vector<uint8_t> has_location(profile.locations.size());
  for (const StackId stack : stacks)
    for (const LocationId location : profile.StackFrames(stack))
      has_location[location.index()] = 1;
  std::vector<bool> is_used(size());
  for (uint32_t i = 0; i < has_location.size(); ++i)
    if (has_location[i] != 0)
      for (const uint32_t id : Of(LocationId{i})) is_used[id] = true;
  std::vector<uint32_t> used;
  for (uint32_t id = 0; id < size(); ++id)
    if (is_used[id]) used.push_back(id);
  const std::vector<uint32_t> ranks = TextRanks();
  std::ranges::stable_sort(used, {},
                           [&](uint32_t id) { return ranks[text_of_[id]]; });
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
  noted.is_place |= code.is_place;
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
