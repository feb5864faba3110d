// SPDX-License-Identifier: Apache-2.0
//
// Finds out through which callees and callers an entry of a comparison has
// changed. See GrowthWithout() and PathTo().
#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "heapprof/base/no_index.h"
#include "heapprof/view/comparison.h"
#include "view/run_sums.h"

namespace heapprof {
namespace {

// Returns the part of `stack` (entries, leaf first) that is rootward of all
// occurrences of the entry `index`, which it contains, so that a path of
// callers does not repeat the entry.
std::span<const uint32_t> CallersOf(std::span<const uint32_t> stack,
                                    size_t index) {
  const auto last = std::find(stack.rbegin(), stack.rend(), index);
  return stack.last(static_cast<size_t>(last - stack.rbegin()));
}

// The callers of an entry in one stack. `change` is what the stack contributes
// to the change of the entry; negative if the stack changed in the opposite
// direction.
struct CallerPath {
  std::span<const uint32_t> callers;  // leaf first
  double change = 0;
};

std::vector<CallerPath> PathsTo(const Profile& profile,
                                const Comparison& comparison,
                                const EntryStacks& entry) {
  std::vector<CallerPath> paths;
  const bool shrank = comparison.entries[entry.index].change < 0;
  for (const Sample& sample : profile.samples) {
    if (!entry.has[sample.stack.index()]) continue;
    const double value = sample.values[comparison.metric].value;
    const bool is_base = sample.side == Side::kBase;
    paths.push_back({CallersOf(comparison.samples.Of(sample), entry.index),
                     is_base == shrank ? value : -value});
  }
  return paths;
}

// Returns the entry with the largest change among the callers at index `depth`
// of the paths. If changes are equal, returns the lowest index.
uint32_t LargestCaller(const std::vector<CallerPath>& paths, size_t depth) {
  std::map<uint32_t, double> changes;
  for (const CallerPath& path : paths)
    changes[path.callers[depth]] += path.change;
  return std::ranges::max_element(
             changes, {}, [](const auto& entry) { return entry.second; })
      ->first;
}

}  // namespace

std::vector<EntryStacks> FindStacksOf(std::span<const size_t> entries,
                                      const Comparison& comparison) {
  if (entries.empty()) return {};  // a gate may have left out all
  const size_t count = comparison.samples.ranges.size();
  std::vector<EntryStacks> found;
  std::vector<uint32_t> place(comparison.entries.size(),
                              kNoIndex);  // in `found`
  for (const size_t entry : entries) {
    place[entry] = static_cast<uint32_t>(found.size());
    found.push_back({entry, std::vector<bool>(count)});
  }
  for (size_t i = 0; i < count; ++i)
    for (const uint32_t entry : comparison.samples.OfRow(i))
      if (place[entry] != kNoIndex) found[place[entry]].has[i] = true;
  // An entry may have been asked for more than once.
  for (EntryStacks& each : found) each.has = found[place[each.index]].has;
  return found;
}

Growth GrowthWithout(const Profile& profile, const SamplesByStack& samples,
                     const Comparison& comparison, const EntryStacks& entry,
                     std::span<const size_t> callees) {
  std::vector<bool> is_callee(comparison.entries.size());
  for (const size_t callee : callees) is_callee[callee] = true;
  std::vector<bool> is_counted(profile.stacks.size());
  for (uint32_t i = 0; i < entry.has.size(); ++i) {
    if (!entry.has[i]) continue;
    const auto stack = comparison.samples.OfRow(i);
    const auto callers = CallersOf(stack, entry.index);
    const auto leafward = stack.first(stack.size() - callers.size() - 1);
    is_counted[i] = std::ranges::none_of(
        leafward, [&](uint32_t each) { return is_callee[each]; });
  }
  return GrowthOfStacks(profile, samples, is_counted, comparison.metric,
                        comparison.variation);
}

std::vector<std::string> PathTo(const Profile& profile,
                                const Comparison& comparison,
                                const EntryStacks& entry) {
  std::vector<CallerPath> paths = PathsTo(profile, comparison, entry);
  std::vector<std::string> names;
  // At each depth, finds the caller with the largest change, and keeps only the
  // paths through this caller.
  for (size_t depth = 0;; ++depth) {
    std::erase_if(paths, [depth](const CallerPath& path) {
      return path.callers.size() <= depth;
    });
    if (paths.empty()) break;
    const uint32_t caller = LargestCaller(paths, depth);
    std::erase_if(paths, [&](const CallerPath& path) {
      return path.callers[depth] != caller;
    });
    const std::string& name = comparison.entries[caller].name;
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  std::ranges::reverse(names);
  return names;
}

}  // namespace heapprof
