// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/allocator_frames.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/base_name.h"
#include "heapprof/base/for_each.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/profile/runtime_library.h"
#include "transform/allocator_names.h"
#include "transform/location_parts.h"

namespace heapprof {
namespace {

// Classifies each function and mapping once, then finds where to cut a stack.
class Trimmer {
 public:
  Trimmer(const Profile& profile, unsigned jobs) : profile_(profile) {
    SetRoles(jobs);
    for (const Mapping& m : profile.mappings) {
      const std::string_view path = profile.String(m.filename);
      allocator_library_.push_back(IsAllocatorLibrary(path));
      runtime_library_.push_back(IsRuntimeLibrary(path));
    }
    FindAllocators();
    DropNamesakes();
    for (const Location& location : profile.locations)
      has_entry_.push_back(LastEntryLine(location).has_value());
  }

  // A position in a stack: the index of a frame, and the index of one of the
  // lines (inlined calls) of its location.
  struct Cut {
    size_t frame = 0;
    uint32_t line = 0;
  };

  // Returns the position of the first frame to keep.
  Cut Find(std::span<const LocationId> stack) const {
    const size_t first = FirstEntry(stack);
    Cut cut = SkipContiguous(
        stack, OutermostEntry(stack, first).value_or(Cut{.frame = first}));
    while (const auto outer = OuterEntry(stack, cut))
      cut = SkipContiguous(stack, *outer);
    return cut;
  }

 private:
  const Location& At(LocationId id) const {
    return profile_.locations[id.index()];
  }
  // Most names of Rust contain "alloc", so each of them must be looked into.
  void SetRoles(unsigned jobs) {
    const std::vector<Function>& functions = profile_.functions;
    roles_.resize(functions.size());
    ForEachInBlocks(functions.size(), 1024, jobs,
                    [&](size_t i) { roles_[i] = RoleOf(functions[i]); });
  }
  AllocatorRole RoleOf(const Function& function) const {
    return MayBeAllocatorSymbol(profile_.String(function.system_name))
               ? ClassifyAllocatorName(profile_.String(function.name))
               : AllocatorRole::kNone;
  }
  // Finds out which binaries contain an allocator that is linked statically,
  // and in which folders its sources are.
  void FindAllocators() {
    has_allocator_ = allocator_library_;
    for (const Location& location : profile_.locations) {
      if (location.lines.count == 0) continue;
      const FunctionId id = profile_.LocationLines(location).back().function;
      if (roles_[id.index()] != AllocatorRole::kInternal) continue;
      const Function& function = profile_.functions[id.index()];
      if (!IsAllocatorSignature(profile_.String(function.name))) continue;
      has_allocator_[location.mapping.index()] = true;
      if (!function.filename.IsNone())
        folders_.push_back(FolderOf(profile_.String(function.filename)));
    }
  }
  // Functions of the program may have the same name as a kInternal function.
  // They get the role kNone if their source is in no folder of an allocator.
  void DropNamesakes() {
    for (size_t i = 0; i < roles_.size(); ++i) {
      const std::string_view path =
          profile_.String(profile_.functions[i].filename);
      if (roles_[i] == AllocatorRole::kInternal &&
          !MayBeAllocatorSource(path) &&
          std::ranges::find(folders_, FolderOf(path)) == folders_.end())
        roles_[i] = AllocatorRole::kNone;
    }
  }
  AllocatorRole RoleOf(const Location& location, uint32_t line) const {
    const Line& l = profile_.lines[location.lines.first + line];
    const AllocatorRole role = roles_[l.function.index()];
    if (allocator_library_[location.mapping.index()])
      return role == AllocatorRole::kNone ? AllocatorRole::kInternal : role;
    return role == AllocatorRole::kInternal &&
                   !has_allocator_[location.mapping.index()]
               ? AllocatorRole::kNone
               : role;
  }
  // Returns the outermost line of `location` whose function has the role
  // kEntry.
  std::optional<uint32_t> LastEntryLine(const Location& location) const {
    for (uint32_t i = location.lines.count; i-- > 0;)
      if (RoleOf(location, i) == AllocatorRole::kEntry) return i;
    return std::nullopt;
  }
  static Cut PositionAfter(const Location& location, size_t frame,
                           uint32_t line) {
    return line + 1 < location.lines.count ? Cut{frame, line + 1}
                                           : Cut{frame + 1, 0};
  }

  // Returns the index of the frame with a kEntry function nearest the leaf. For
  // an allocator's library without symbols, returns the index of the frame that
  // calls it. If the stack has neither, returns the index of the leaf.
  size_t FirstEntry(std::span<const LocationId> stack) const {
    bool in_library = false;
    for (size_t i = 0; i < stack.size(); ++i) {
      const bool was_in_library = std::exchange(
          in_library, allocator_library_[At(stack[i]).mapping.index()]);
      if ((was_in_library && !in_library) || has_entry_[stack[i].index()])
        return i;
    }
    return 0;
  }

  // Returns the position after the kEntry function nearest the root, but only
  // looks at frames from index `first` on. All frames leafward of that function
  // count as the allocator's: if program code is among them, it replaces or
  // extends the allocator, because an allocator calls no other program code.
  std::optional<Cut> OutermostEntry(std::span<const LocationId> stack,
                                    size_t first) const {
    for (size_t i = stack.size(); i-- > first;)
      if (has_entry_[stack[i].index()])
        return PositionAfter(At(stack[i]), i, *LastEntryLine(At(stack[i])));
    return std::nullopt;
  }

  Cut SkipContiguous(std::span<const LocationId> stack, Cut cut) const {
    while (cut.frame < stack.size()) {
      const Location& location = At(stack[cut.frame]);
      if (location.lines.count == 0 ||
          RoleOf(location, cut.line) == AllocatorRole::kNone)
        break;
      cut = PositionAfter(location, cut.frame, cut.line);
    }
    return cut;
  }

  // Returns the position after the next allocator frame rootward of `cut`, if
  // there are only frames of runtime libraries in between. Such stacks occur
  // when an allocator calls a runtime library that allocates memory itself: the
  // loader may allocate thread-local storage, and the C library may allocate
  // the data of a new thread.
  std::optional<Cut> OuterEntry(std::span<const LocationId> stack,
                                Cut cut) const {
    if (cut.frame == 0 && cut.line == 0) return std::nullopt;
    for (size_t i = cut.frame; i < stack.size(); ++i) {
      const Location& location = At(stack[i]);
      for (uint32_t j = i == cut.frame ? cut.line : 0; j < location.lines.count;
           ++j)
        if (RoleOf(location, j) != AllocatorRole::kNone)
          return PositionAfter(location, i, j);
      if (!runtime_library_[location.mapping.index()]) return std::nullopt;
    }
    return std::nullopt;
  }

  const Profile& profile_;
  std::vector<AllocatorRole> roles_;       // by function
  std::vector<bool> allocator_library_;    // by mapping
  std::vector<bool> runtime_library_;      // by mapping
  std::vector<bool> has_allocator_;        // by mapping
  std::vector<std::string_view> folders_;  // source folders of the allocators
  // By location: has it a kEntry function? Bytes, because all frames of a large
  // dump are looked up.
  std::vector<uint8_t> has_entry_;
};

// Trims the stacks of a profile in place: a stack with frames only becomes
// shorter, and copying the frames of a large profile would take as long as a
// report.
class StackTrimmer {
 public:
  explicit StackTrimmer(ProfileBuilder& builder)
      : builder_(builder),
        parts_(builder),
        no_stack_(AddSyntheticLocation("[no stack]", builder)),
        allocator_only_(AddSyntheticLocation("[allocator only]", builder)) {}

  void LabelAllEmpty() {
    for (RowRange& stack : builder_.profile().stacks | std::views::drop(1))
      if (stack.count == 0) LabelEmpty(stack);
  }

  // Labels the empty stacks, and cuts the others where `trimmer` says.
  void TrimAll(const Trimmer& trimmer, unsigned jobs) {
    constexpr size_t kBlock = 1 << 13;
    std::vector<RowRange>& stacks = builder_.profile().stacks;
    // What needs new rows waits until all threads are done.
    std::vector<std::vector<LateCut>> late((stacks.size() - 1) / kBlock + 1);
    ForEach(late.size(), jobs, [&](size_t block) {
      const size_t end = std::min(stacks.size(), (block + 1) * kBlock);
      for (size_t i = std::max<size_t>(1, block * kBlock); i < end; ++i) {
        const StackId id = {static_cast<uint32_t>(i)};
        const auto frames = builder_.profile().StackFrames(id);
        const uint32_t lines =
            frames.empty() ? 0 : CutAt(trimmer.Find(frames), stacks[i]);
        if (frames.empty() || lines != 0) late[block].push_back({id, lines});
      }
    });
    for (const LateCut& cut : late | std::views::join) {
      RowRange& stack = stacks[cut.stack.index()];
      if (stack.count == 0)
        LabelEmpty(stack);
      else
        CutLeaf(cut.lines, stack);
    }
  }

 private:
  // A stack that is empty, or whose leaf has inlined calls to be removed.
  struct LateCut {
    StackId stack;
    uint32_t lines = 0;
  };

  void LabelEmpty(RowRange& stack) {
    std::vector<LocationId>& frames = builder_.profile().frames;
    stack = {static_cast<uint32_t>(frames.size()), 1};
    frames.push_back(no_stack_);
  }

  // Removes the frames leafward of `cut`. Returns how many inlined calls of the
  // new leaf are yet to be removed.
  uint32_t CutAt(Trimmer::Cut cut, RowRange& stack) {
    if (cut.frame == stack.count) {
      stack.count = 1;
      builder_.profile().frames[stack.first] = allocator_only_;
      return 0;
    }
    stack.first += static_cast<uint32_t>(cut.frame);
    stack.count -= static_cast<uint32_t>(cut.frame);
    return cut.line;
  }

  // Replaces the leaf by a location without its innermost `lines` calls.
  void CutLeaf(uint32_t lines, RowRange stack) {
    LocationId& leaf = builder_.profile().frames[stack.first];
    const RowRange all = builder_.profile().locations[leaf.index()].lines;
    leaf = parts_.LocationOf({leaf, {all.first + lines, all.count - lines}});
  }

  ProfileBuilder& builder_;
  LocationParts parts_;
  LocationId no_stack_;
  LocationId allocator_only_;
};

}  // namespace

void TrimAllocatorFrames(Profile& profile, unsigned jobs) {
  ProfileBuilder builder(std::move(profile));
  const Trimmer trimmer(builder.profile(), jobs);
  StackTrimmer(builder).TrimAll(trimmer, jobs);
  profile = std::move(builder).Finish();
}

void LabelEmptyStacks(Profile& profile) {
  ProfileBuilder builder(std::move(profile));
  StackTrimmer(builder).LabelAllEmpty();
  profile = std::move(builder).Finish();
}

}  // namespace heapprof
