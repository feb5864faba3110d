// SPDX-License-Identifier: Apache-2.0
#include "heapprof/compare/compare_sides.h"

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <unordered_map>
#include <vector>

#include "compare/align_builds.h"
#include "compare/dispersion.h"
#include "compare/match_stacks.h"
#include "compare/nameless.h"
#include "compare/sides.h"
#include "heapprof/compare/average_runs.h"
#include "heapprof/profile/samples_by_stack.h"

namespace heapprof {
namespace {

// jemalloc numbers threads in the order in which they first allocate, which may
// be another one in each process. Only the main thread always is number 0.
void NameNumberedThreads(Profile& profile) {
  std::vector<Thread*> numbered;
  for (Thread& thread : profile.threads | std::views::drop(1))
    if (thread.name.IsNone() && thread.uid != 0) numbered.push_back(&thread);
  if (numbered.size() < 2) return;
  for (Thread* thread : numbered)
    thread->name = profile.strings.Intern("[no name]");
}

void MatchThreads(Profile& profile) {
  if (profile.mixes_processes) NameNumberedThreads(profile);
  std::unordered_map<StringId, ThreadId> first_of_name;
  for (uint32_t i = 1; i < profile.threads.size(); ++i) {
    Thread& thread = profile.threads[i];
    if (!thread.name.IsNone())
      thread.shown_as =
          first_of_name.try_emplace(thread.name, ThreadId{i}).first->second;
  }
}

// Makes both sides of a stack that shrank equal: lowers the base to the new
// value or, if the base holds nothing that could be lowered, raises the new
// one, which may be negative in an input that is a difference itself. `sums`
// are those of the stack, `sample` is one of its samples.
void DropNegative(const Sides<Values>& sums, Sample& sample) {
  for (size_t i = 0; i < kMetricCount; ++i) {
    const double before = sums.base.by_metric[i].value;
    const double after = sums.now.by_metric[i].value;
    if (after >= before) continue;
    double& value = sample.values.by_metric[i].value;
    if (before > 0 && sample.side == Side::kBase) value *= after / before;
    if (before <= 0 && sample.side == Side::kNew) value *= before / after;
  }
}

void DropNegative(const Profile& profile, std::vector<Sample>& samples) {
  const SamplesByStack stacks(profile, samples);
  stacks.ForEachStackAndThread([&](std::span<const uint32_t> of_stack) {
    Sides<Values> sums;
    for (const uint32_t i : of_stack)
      sums[samples[i].side] += samples[i].values;
    for (const uint32_t i : of_stack) DropNegative(sums, samples[i]);
  });
}

}  // namespace

Sides<Values> CompareSides(Profile& profile, const CompareOptions& options) {
  profile.is_comparison = true;
  const std::vector<SideSet> sides = SidesOfLocations(profile);
  profile.compares_builds |= HasSeveralBuilds(profile, sides);
  NameCodeOutsideMap(sides, profile);
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
