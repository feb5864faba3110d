// SPDX-License-Identifier: Apache-2.0
#include "heapprof/compare/compare_sides.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compare/align_builds.h"
#include "compare/dispersion.h"
#include "compare/match_stacks.h"
#include "compare/nameless.h"
#include "compare/sides.h"
#include "heapprof/compare/average_runs.h"

namespace heapprof {
namespace {

void MatchThreads(Profile& profile) {
  std::unordered_map<StringId, ThreadId> first_of_name;
  for (uint32_t i = 1; i < profile.threads.size(); ++i) {
    Thread& thread = profile.threads[i];
    if (!thread.name.IsNone())
      thread.shown_as =
          first_of_name.try_emplace(thread.name, ThreadId{i}).first->second;
  }
}

// Makes both sides of each stack that shrank equal: lowers the base to the new
// value or, if the base holds nothing that could be lowered, raises the new
// one, which may be negative in an input that is a difference itself.
void DropNegative(const Profile& profile, std::vector<Sample>& samples) {
  std::unordered_map<uint64_t, Sides<Values>> sums;
  for (const Sample& sample : samples)
    sums[StackAndThread(profile, sample)][sample.side] += sample.values;
  for (Sample& sample : samples) {
    const auto& [now, base] = sums[StackAndThread(profile, sample)];
    for (size_t i = 0; i < kMetricCount; ++i) {
      const double before = base.by_metric[i].value;
      const double after = now.by_metric[i].value;
      if (after >= before) continue;
      double& value = sample.values.by_metric[i].value;
      if (before > 0 && sample.side == Side::kBase) value *= after / before;
      if (before <= 0 && sample.side == Side::kNew) value *= before / after;
    }
  }
}

}  // namespace

Sides<Values> CompareSides(Profile& profile, const CompareOptions& options) {
  profile.is_comparison = true;
  const std::vector<SideSet> sides = SidesOfLocations(profile);
  profile.compares_builds |= HasSeveralBuilds(profile, sides);
  NameUnloadedCode(sides, profile);
  AlignBuilds(profile);
  const Sides<Values> nameless = NamelessValues(profile, sides);
  MarkNamelessOfBase(sides, profile);
  MatchStacks(sides, profile);
  MatchThreads(profile);
  AverageRuns(profile);
  MeasureDispersion(profile);
  if (options.drop_negative) {
    DropNegative(profile, profile.samples);
    DropNegative(profile, profile.thread_samples);
  }
  return nameless;
}

}  // namespace heapprof
