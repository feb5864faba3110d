// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/transform_profile.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "cli/outputs/messages.h"
#include "heapprof/compare/compare_sides.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/transform/allocator_frames.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/style_names.h"
#include "heapprof/transform/threads.h"

namespace heapprof {
namespace {

// Returns true if there is a base to compare with. Even without --base there
// may be one, because a pprof profile can contain both sides.
bool HasBase(const Profile& profile) {
  return std::ranges::any_of(profile.samples, [](const Sample& sample) {
    return sample.side == Side::kBase;
  });
}

// Returns true if there is nothing to show. `check` judges sides that are equal
// like any others.
bool IsEmpty(const Profile& profile, const Options& options) {
  return options.command == Command::kCheck
             ? !HasValue(profile, options.metric)
             : !HasChange(profile, options.metric);
}

// Says how much memory has no name and therefore matches nothing.
std::string NamelessNote(const Profile& profile,
                         const std::array<Values, 2>& nameless,
                         const Options& options) {
  std::array<double, 2> values = {}, totals = {};
  for (const Side side : kSides) {
    values[IndexOf(side)] = nameless[IndexOf(side)][options.metric].value;
    totals[IndexOf(side)] = TotalOf(profile, side)[options.metric].value;
  }
  return NamelessText(values, totals, UnitOf(options));
}

}  // namespace

Result<std::vector<FilterEffect>> TransformProfile(Profile& profile,
                                                   const Options& options,
                                                   Diagnostics& diagnostics) {
  const bool has_new_side = std::ranges::any_of(
      profile.samples,
      [](const Sample& sample) { return sample.side == Side::kNew; });
  // The allocator's frames are removed before sides are compared, because one
  // of the inputs may come without them.
  if (!options.keep_allocator_frames) TrimAllocatorFrames(profile);
  // --base makes this a comparison even if the base has no samples.
  const bool is_comparison = !options.bases.empty() || HasBase(profile);
  if (is_comparison) {
    const auto nameless =
        CompareSides(profile, {.drop_negative = options.drop_negative});
    diagnostics.Note(NamelessNote(profile, nameless, options));
  }
  const bool one_thread = !options.thread.empty() && options.thread != "*";
  const auto selected =
      one_thread ? SelectThread(profile, options.thread, options.metric)
                 : std::nullopt;
  if (one_thread && !selected)
    diagnostics.Note(fmt::format(
        "--thread={}: no such thread; --threads lists them", options.thread));
  else if (IsEmpty(profile, options))
    diagnostics.Note(EmptyReason(has_new_side, profile, options));
  if (options.keep_allocator_frames) LabelEmptyStacks(profile);
  auto effects = options.filters.Apply(profile, options.metric);
  if (!effects) return std::unexpected(effects.error());
  if (selected) effects->insert(effects->begin(), *selected);
  if (options.names) StyleNames(profile, *options.names);
  return effects;
}

}  // namespace heapprof
