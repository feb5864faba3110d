// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/prepare_profile.h"

#include <algorithm>
#include <utility>

#include "heapprof/compare/average_runs.h"
#include "heapprof/compare/compare_sides.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/transform/allocator_frames.h"
#include "heapprof/transform/style_names.h"
#include "heapprof/transform/threads.h"

namespace heapprof {
namespace {

bool HasSide(const Profile& profile, Side side) {
  return std::ranges::find(profile.samples, side, &Sample::side) !=
         profile.samples.end();
}

void Compare(Profile& profile, const PrepareOptions& options,
             PreparedStacks& stacks) {
  stacks.nameless =
      CompareSides(profile, {.drop_negative = options.drop_negative});
  for (const Side side : kSides) stacks.totals[side] = TotalOf(profile, side);
}

}  // namespace

PreparedStacks PrepareProfile(Profile& profile, const StackFilters& filters,
                              const PrepareOptions& options) {
  PreparedStacks stacks = {.has_new_side = HasSide(profile, Side::kNew)};
  // The allocator's frames are removed before sides are compared, because one
  // of the inputs may come without them.
  if (!options.keep_allocator_frames)
    TrimAllocatorFrames(profile, options.jobs);
  // Even without a base among the inputs there may be one, because a pprof
  // profile can contain both sides.
  if (options.has_base || HasSide(profile, Side::kBase))
    Compare(profile, options, stacks);
  else if (options.are_runs)
    JoinRuns(profile);
  // Filters that find own code keep them, too, but only see one thread then.
  const bool loses_stacks =
      !options.thread.empty() || (!filters.IsEmpty() && !filters.FindOwnCode());
  if (options.finds_own_code && loses_stacks)
    profile.own_allocators = OwnCode(profile, options.jobs).allocators();
  stacks.has_threads = !profile.thread_samples.empty();
  std::optional<FilterEffect> selected;
  if (!options.thread.empty()) {
    selected = SelectThread(profile, options.thread, options.metric);
    stacks.lacks_thread = !selected;
  }
  stacks.has_value = HasValue(profile, options.metric);
  stacks.has_change = HasChange(profile, options.metric);
  if (!stacks.has_change) stacks.metric_with_values = MetricWithValues(profile);
  if (options.keep_allocator_frames) LabelEmptyStacks(profile);
  if (options.groups != nullptr) {
    auto unused = AddGroupRoots(*options.groups, profile);
    if (!unused) {
      stacks.effects = std::unexpected(unused.error());
      return stacks;
    }
    stacks.unused_groups = *std::move(unused);
  }
  stacks.effects = filters.Apply(profile, options.metric);
  if (!stacks.effects) return stacks;
  if (selected)
    stacks.effects->insert(stacks.effects->begin(), *std::move(selected));
  if (options.names) StyleNames(profile, *options.names);
  if (options.finds_own_code) stacks.own_code.emplace(profile, options.jobs);
  return stacks;
}

}  // namespace heapprof
