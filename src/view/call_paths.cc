// SPDX-License-Identifier: Apache-2.0
#include "view/call_paths.h"

#include <algorithm>

#include "heapprof/base/hash.h"
#include "heapprof/base/no_index.h"

namespace heapprof {
CallPaths::CallPaths(const Profile& profile, const FrameLabels& labels,
                     const std::vector<StoryRole>& roles)
    : profile_(profile),
      roles_(roles),
      label_of_line_(profile.lines.size(), kNoIndex),
      position_of_label_(labels.size(), kNoIndex) {
  for (uint32_t i = 1; i < profile.locations.size(); ++i) {
    const RowRange lines = profile.locations[i].lines;
    const std::span<const uint32_t> ids = labels.Of(LocationId{i});
    for (uint32_t k = 0; k < lines.count; ++k)
      if (roles[lines.first + k] != StoryRole::kNone)
        label_of_line_[lines.first + k] = ids[k];
  }
}

uint32_t CallPaths::Add(StackId stack) {
  path_.clear();
  const std::span<const LocationId> frames = profile_.StackFrames(stack);
  for (size_t i = frames.size(); i-- > 0;) {
    const RowRange lines = profile_.locations[frames[i].index()].lines;
    for (uint32_t line = lines.first + lines.count; line-- > lines.first;)
      if (label_of_line_[line] != kNoIndex) AddCall(line);
  }
  uint64_t hash = 0;
  for (const uint32_t line : path_) {
    position_of_label_[label_of_line_[line]] = kNoIndex;
    hash = AddToHash(hash, line);
  }
  const uint32_t path = index_.FindOrAddIndex(
      hash, ranges_.size(),
      [this](uint32_t known) { return std::ranges::equal(Of(known), path_); });
  if (path == ranges_.size()) {
    ranges_.push_back({static_cast<uint32_t>(lines_.size()),
                       static_cast<uint32_t>(path_.size())});
    lines_.insert(lines_.end(), path_.begin(), path_.end());
  }
  return path;
}

void CallPaths::AddCall(uint32_t line) {
  // An allocator in own code tells more than a library that calls it, but less
  // than all other code.
  const bool follows_library =
      !path_.empty() && roles_[path_.back()] == StoryRole::kLibrary;
  if (roles_[line] == StoryRole::kOwnAllocator && !follows_library) return;
  uint32_t& position = position_of_label_[label_of_line_[line]];
  if (position == kNoIndex) {
    if (path_.size() == kMostCalls) return;
    position = static_cast<uint32_t>(path_.size());
    path_.push_back(line);
    return;
  }
  // A recursion returned to this function.
  for (; path_.size() > position + size_t{1}; path_.pop_back())
    position_of_label_[label_of_line_[path_.back()]] = kNoIndex;
  path_.back() = line;
}

}  // namespace heapprof
