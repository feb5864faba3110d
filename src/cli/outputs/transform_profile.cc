// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/transform_profile.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "cli/outputs/messages.h"
#include "heapprof/transform/align_builds.h"
#include "heapprof/transform/allocator_frames.h"
#include "heapprof/transform/average_runs.h"
#include "heapprof/transform/diff.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/style_names.h"
#include "heapprof/transform/threads.h"

namespace heapprof {
namespace {

// Returns true if there is a base to subtract. Even without --base there may be
// one, because a pprof profile can contain both sides.
bool HasBase(const Profile& profile) {
  return std::ranges::any_of(profile.samples, [](const Sample& sample) {
    return sample.side == Side::kBase;
  });
}

std::string NamelessNote(const Profile& profile, const Options& options) {
  std::array<double, 2> totals = {};
  for (const Side side : {Side::kNew, Side::kBase}) {
    const auto i = static_cast<size_t>(side);
    totals[i] =
        TotalOf(profile, side)[options.metric].value /
        static_cast<double>(std::max<size_t>(profile.runs[i].size(), 1));
  }
  return NamelessText(NamelessValues(profile, options.metric), totals,
                      UnitOf(options));
}

void ApplyForm(ComparisonForm form, bool drop_negative, Profile& profile) {
  AlignBuilds(profile);
  if (form != ComparisonForm::kRuns) AverageRuns(profile);
  if (form == ComparisonForm::kDifference) Subtract(profile, drop_negative);
}

}  // namespace

bool HasValue(const Profile& profile, Metric metric) {
  return std::ranges::any_of(profile.samples, [metric](const Sample& sample) {
    return sample.values[metric].value != 0;
  });
}

Result<std::vector<FilterEffect>> TransformProfile(Profile& profile,
                                                   ComparisonForm form,
                                                   const Options& options,
                                                   Diagnostics& diagnostics) {
  const bool has_new_side = std::ranges::any_of(
      profile.samples,
      [](const Sample& sample) { return sample.side == Side::kNew; });
  const bool trim = !options.keep_allocator_frames;
  // --base makes this a comparison even if the base has no samples.
  const bool is_comparison = !options.bases.empty() || HasBase(profile);
  // The inputs of a comparison may come without the allocator's frames, or with
  // other ones. To make the stacks of both sides match, these frames are
  // removed from all stacks before the base is subtracted.
  const bool trims_first = trim && (is_comparison || profile.may_be_trimmed);
  if (trims_first) TrimAllocatorFrames(profile);
  if (is_comparison) {
    diagnostics.Note(NamelessNote(profile, options));
    ApplyForm(form, options.drop_negative, profile);
  }
  const bool one_thread = !options.thread.empty() && options.thread != "*";
  const auto selected =
      one_thread ? SelectThread(profile, options.thread, options.metric)
                 : std::nullopt;
  if (one_thread && !selected)
    diagnostics.Note(fmt::format(
        "--thread={}: no such thread; --threads lists them", options.thread));
  else if (!HasValue(profile, options.metric))
    diagnostics.Note(EmptyReason(has_new_side, profile, options));
  if (!trim)
    LabelEmptyStacks(profile);
  else if (!trims_first)
    TrimAllocatorFrames(profile);
  auto effects = options.filters.Apply(profile, options.metric);
  if (!effects) return std::unexpected(effects.error());
  if (selected) effects->insert(effects->begin(), *selected);
  if (options.names) StyleNames(profile, *options.names);
  return effects;
}

}  // namespace heapprof
