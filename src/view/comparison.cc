// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/no_index.h"
#include "heapprof/base/split.h"
#include "heapprof/profile/group_frames.h"
#include "heapprof/profile/samples_by_stack.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "view/compared_entries.h"
#include "view/moved_code.h"
#include "view/reorder.h"
#include "view/run_sums.h"

namespace heapprof {
namespace {

bool HasError(const Growth& growth) {
  return std::ranges::any_of(kSides, [&growth](Side side) {
    const MeasuredSide& of = growth[side];
    return of.mean.variance > 0 || of.missed > 0 || of.between_runs > 0;
  });
}

bool IsAbsent(const std::vector<Estimate>& runs) {
  return std::ranges::all_of(
      runs, [](const Estimate& run) { return run.value == 0; });
}

// Computes `change`, `interval` and `is_noise` of an entry from its growth.
void SetChange(const Comparison& comparison, ComparisonEntry& entry) {
  const auto& [now, base] = entry.growth;
  entry.change = Difference(now.mean.value, base.mean.value);
  entry.interval = {entry.change, entry.change};
  if (HasError(entry.growth)) {
    entry.interval = ConfidenceInterval(entry.growth, comparison.confidence);
    entry.is_noise = entry.interval.Contains(0);
  }
}

// Sets all numbers of an entry. `sums` are its values by run.
void Measure(const Growth& growth, const RunSums& sums,
             const Comparison& comparison, ComparisonEntry& entry) {
  entry.growth = growth;
  SetChange(comparison, entry);
  entry.is_new = IsAbsent(sums.base);
  entry.is_gone = IsAbsent(sums.now);
  for (const Side side : kSides)
    for (const Estimate& run : sums[side])
      if (run.value != 0)
        entry.runs[side].push_back(
            run.value * static_cast<double>(comparison.sides[side].runs));
}

// Adds up the samples of each entry, by run. `count` is the number of entries.
std::vector<RunSums> SumEntries(const Profile& profile,
                                const SampleEntries& entries, size_t count,
                                CompareBy by, Metric metric) {
  const std::vector<Sample>& samples = ComparedSamples(profile, by);
  std::vector<RunSums> sums(count, EmptySums(profile));
  std::vector<uint32_t> last(count, kNoIndex);  // by entry: last one added
  const auto add = [&](std::span<const uint32_t> of_stack) {
    const uint32_t first = of_stack.front();
    for (const uint32_t entry : entries.Of(samples[first]))
      if (std::exchange(last[entry], first) != first)
        for (const uint32_t i : of_stack) Add(samples[i], metric, sums[entry]);
  };
  if (entries.are_of_threads)
    for (uint32_t i = 0; i < samples.size(); ++i) add({&i, 1});
  else
    SamplesByStack(profile, samples).ForEachStackAndThread(add);
  AddSharedVariances(profile, samples, metric, EntriesIn(entries), sums);
  return sums;
}

// What the entries hold.
struct EntryValues {
  std::vector<RunSums> sums = {};    // by run
  std::vector<Growth> growths = {};  // what the tests of growth need
  RunVariation variation = {};
};

EntryValues ValuesOf(const Profile& profile, const ComparedEntries& entries,
                     CompareBy by, Metric metric) {
  EntryValues values = {.sums = SumEntries(profile, entries.samples,
                                           entries.entries.size(), by, metric)};
  values.variation = CommonVariation(values.sums);
  const ErrorBars bars(profile, metric);
  const Extent extent =
      by == CompareBy::kThread ? Extent::kThread : Extent::kEntry;
  for (const RunSums& sums : values.sums)
    values.growths.push_back(GrowthOf(sums, bars, extent, values.variation));
  return values;
}

void MeasureTotal(const Profile& profile, const ErrorBars& bars,
                  Comparison& comparison) {
  RunSums sums = EmptySums(profile);
  for (const Sample& sample : profile.samples)
    Add(sample, comparison.metric, sums);
  const Growth growth =
      bars.GrowthOf(TotalChange(profile, comparison.metric), Extent::kTotal);
  comparison.total.key = comparison.total.name = "total";
  Measure(growth, sums, comparison, comparison.total);
  const Dispersion& dispersion =
      profile.dispersions[static_cast<size_t>(comparison.metric)];
  for (const Side side : kSides) {
    ComparedSide& of = comparison.sides[side];
    of.total = ConfidenceInterval(growth[side], comparison.confidence);
    of.filtered_out = profile.filtered_out[side][comparison.metric].value;
    of.dispersion = dispersion.of_sides[side];
  }
}

// Sets `has_changed` of the entries. `growths` are those that decide. If they
// have errors, they have to change in the same direction.
void MarkChanged(std::span<const Growth> growths, double confidence,
                 std::vector<ComparisonEntry>& entries) {
  const std::vector<bool> changed =
      FindChanges(growths, 1 - confidence).changed;
  for (size_t i = 0; i < entries.size(); ++i) {
    const double judged =
        growths[i].now.mean.value - growths[i].base.mean.value;
    entries[i].has_changed = HasError(growths[i])
                                 ? changed[i] && entries[i].change * judged > 0
                                 : entries[i].change != 0;
  }
}

// Sets the numbers of the entries that have not changed. Their errors do not
// just add up: threads with the same seed are in several entries.
void MeasureUnchanged(const Profile& profile, Comparison& comparison) {
  const std::vector<Sample>& samples = ComparedSamples(profile, comparison.by);
  const auto is_unchanged = [&comparison](const Sample& sample) {
    const auto entries = comparison.samples.Of(sample);
    if (entries.empty()) return false;
    const ComparisonEntry& entry = comparison.entries[entries[0]];
    return !entry.has_changed && !IsOtherGroup(comparison, entry);
  };
  RunSums sums = EmptySums(profile);
  for (const Sample& sample : samples)
    if (is_unchanged(sample)) Add(sample, comparison.metric, sums);
  AddSharedVariances(profile, samples, comparison.metric,
                     [&](const Sample& sample, std::vector<uint32_t>& of) {
                       if (is_unchanged(sample)) of.push_back(0);
                     },
                     {&sums, 1});
  comparison.unchanged.growth =
      GrowthOf(sums, ErrorBars(profile, comparison.metric), Extent::kEntry,
               comparison.variation);
  SetChange(comparison, comparison.unchanged);
}

// Sorts the entries, the largest absolute change first.
void SortEntries(Comparison& comparison) {
  std::vector<ComparisonEntry>& entries = comparison.entries;
  std::vector<uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&entries](uint32_t a, uint32_t b) {
    const double size_a = std::abs(entries[a].change);
    const double size_b = std::abs(entries[b].change);
    return size_a != size_b ? size_a > size_b : entries[a].key < entries[b].key;
  });
  const std::vector<uint32_t> rank = Reorder(order, entries);
  for (uint32_t& entry : comparison.samples.entries) entry = rank[entry];
}

}  // namespace

std::string_view CompareByName(CompareBy by) {
  return ChoiceAt(kByChoices, static_cast<size_t>(by));
}

Comparison Compare(const Profile& profile, const ComparisonOptions& options) {
  Comparison comparison = {.metric = options.metric,
                           .by = options.by,
                           .confidence = options.confidence,
                           .sides = {ComparedSideOf(profile, Side::kNew),
                                     ComparedSideOf(profile, Side::kBase)}};
  ComparedEntries found = FindEntries(profile, options);
  const EntryValues values =
      ValuesOf(profile, found, options.by, options.metric);
  comparison.variation = values.variation;
  for (size_t i = 0; i < found.entries.size(); ++i)
    Measure(values.growths[i], values.sums[i], comparison, found.entries[i]);
  const Metric judge = JudgingMetric(profile, options.metric);
  MarkChanged(judge == options.metric
                  ? values.growths
                  : ValuesOf(profile, found, options.by, judge).growths,
              comparison.confidence, found.entries);
  comparison.entries = std::move(found.entries);
  comparison.samples = std::move(found.samples);
  comparison.is_cumulative =
      options.calls.empty() && options.by != CompareBy::kStack &&
      options.by != CompareBy::kThread && options.by != CompareBy::kGroup;
  SortEntries(comparison);
  if (!comparison.is_cumulative) MeasureUnchanged(profile, comparison);
  MarkMoved(comparison);
  MeasureTotal(profile, ErrorBars(profile, options.metric), comparison);
  return comparison;
}

bool IsOtherGroup(const Comparison& comparison, const ComparisonEntry& entry) {
  return comparison.by == CompareBy::kGroup && entry.name == kOtherGroup;
}

std::string MovedText(const Comparison& comparison,
                      const ComparisonEntry& entry) {
  if (!entry.is_new || entry.maybe_moved.empty()) return "";
  const auto from = std::ranges::find(comparison.entries, entry.maybe_moved,
                                      &ComparisonEntry::key);
  return fmt::format("moved from {}?", from == comparison.entries.end()
                                           ? entry.maybe_moved
                                           : from->name);
}

}  // namespace heapprof
