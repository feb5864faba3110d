// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/coverage.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "heapprof/profile/nameless_stack.h"
#include "heapprof/profile/runtime_library.h"
#include "heapprof/profile/stack_changes.h"
#include "view/sample_blocks.h"

namespace heapprof {
namespace {

// What is known about an address.
enum class Detail : uint8_t { kNothing, kFunction, kLine };

Detail DetailOf(const Profile& profile, const Location& location) {
  if (LacksName(profile, location.lines)) return Detail::kNothing;
  const auto lines = profile.LocationLines(location);
  return !lines.empty() && lines.front().line != 0 ? Detail::kLine
                                                   : Detail::kFunction;
}

class Measurement {
 public:
  explicit Measurement(const Profile& profile)
      : profile_(profile), by_mapping_(profile.mappings.size()) {
    const std::vector<bool> are_runtime = RuntimeMappings(profile);
    states_.reserve(profile.locations.size());
    for (const Location& location : profile.locations)
      states_.push_back(StateOf(DetailOf(profile, location),
                                are_runtime[location.mapping.index()]));
  }

  void Add(std::span<const LocationId> frames, double value) {
    coverage_.total_value += value;
    if (!frames.empty() && profile_.locations[frames.back().index()].is_group)
      frames = frames.first(frames.size() - 1);
    if (frames.empty()) return;
    AddLeaf(frames.front(), value);
    StackNames names(NameAt(frames.front()));
    for (const LocationId caller : frames.subspan(1)) {
      See(caller);
      names.AddCaller(NameAt(caller));
    }
    if (names.AreLacking())
      AddNameless(frames, value);
    else if (DetailAt(frames.front()) == Detail::kLine)
      coverage_.lined_value += value;
  }

  // Adds what another measurement of the same profile has found.
  void Add(const Measurement& other) {
    coverage_.total_value += other.coverage_.total_value;
    coverage_.nameless_value += other.coverage_.nameless_value;
    coverage_.lined_value += other.coverage_.lined_value;
    for (uint32_t i = 0; i < states_.size(); ++i)
      if (other.states_[i].is_seen) See({i});
    for (size_t i = 0; i < by_mapping_.size(); ++i) {
      ModuleCoverage& module = by_mapping_[i];
      const ModuleCoverage& added = other.by_mapping_[i];
      module.stacks += added.stacks;
      module.unresolved_stacks += added.unresolved_stacks;
      module.value += added.value;
      module.unresolved_value += added.unresolved_value;
      module.nameless_value += added.nameless_value;
    }
  }

  Coverage Finish() && {
    for (uint32_t i = 0; i < by_mapping_.size(); ++i) {
      by_mapping_[i].mapping = {i};
      // The mapping "none" also contains synthetic frames, such as "[allocator
      // only]", which represent no address. Therefore, this mapping counts only
      // if it has unresolved addresses.
      const bool relevant =
          i == 0 ? by_mapping_[i].unresolved > 0 : by_mapping_[i].locations > 0;
      if (relevant) coverage_.modules.push_back(by_mapping_[i]);
    }
    return std::move(coverage_);
  }

 private:
  // Of a location. Together, because a large dump has many frames to look at.
  struct State {
    Detail detail = {};
    FrameName name = {};
    bool is_seen = false;
  };

  static State StateOf(Detail detail, bool is_runtime) {
    const FrameName missing =
        is_runtime ? FrameName::kLackingInRuntime : FrameName::kLacking;
    return {.detail = detail,
            .name = detail == Detail::kNothing ? missing : FrameName::kKnown};
  }

  Detail DetailAt(LocationId id) const { return states_[id.index()].detail; }

  FrameName NameAt(LocationId id) const { return states_[id.index()].name; }

  ModuleCoverage& ModuleOf(LocationId id) {
    return by_mapping_[profile_.locations[id.index()].mapping.index()];
  }

  void AddLeaf(LocationId id, double value) {
    See(id);
    ModuleCoverage& module = ModuleOf(id);
    ++module.stacks;
    module.value += value;
    if (DetailAt(id) != Detail::kNothing) return;
    ++module.unresolved_stacks;
    module.unresolved_value += value;
  }

  void See(LocationId id) {
    if (!states_[id.index()].is_seen) AddLocation(id);
  }

  void AddLocation(LocationId id) {
    states_[id.index()].is_seen = true;
    ModuleCoverage& module = ModuleOf(id);
    ++module.locations;
    if (DetailAt(id) == Detail::kNothing) ++module.unresolved;
    if (DetailAt(id) == Detail::kLine) ++module.with_lines;
  }

  // Adds the value of a stack without a name: to the module of its first frame
  // that lacks one.
  void AddNameless(std::span<const LocationId> frames, double value) {
    coverage_.nameless_value += value;
    LocationId first = frames.front();
    if (NameAt(first) == FrameName::kKnown)
      first = *std::ranges::find_if(frames, [this](LocationId id) {
        return NameAt(id) == FrameName::kLacking;
      });
    ModuleOf(first).nameless_value += value;
  }

  const Profile& profile_;
  std::vector<State> states_;  // by location
  std::vector<ModuleCoverage> by_mapping_;
  Coverage coverage_;
};

Measurement MeasureSamples(const Profile& profile, Metric metric,
                           std::optional<Side> side, unsigned jobs) {
  return SumBlocks<Measurement>(
      profile.samples, jobs,
      [&](std::span<const Sample> samples) {
        Measurement measurement(profile);
        for (const Sample& sample : samples)
          if (sample.side == side.value_or(sample.side))
            measurement.Add(profile.StackFrames(sample.stack),
                            std::abs(sample.values[metric].value));
        return measurement;
      },
      [](const Measurement& of_block, Measurement& sum) { sum.Add(of_block); });
}

}  // namespace

Coverage MeasureCoverage(const Profile& profile, Metric metric,
                         std::optional<Side> side, unsigned jobs) {
  if (side || !profile.is_comparison)
    return MeasureSamples(profile, metric, side, jobs).Finish();
  Measurement measurement(profile);
  for (const StackChange& change :
       ChangesByStack(profile, profile.samples, metric))
    if (change.value() != 0)
      measurement.Add(profile.StackFrames(change.stack), change.size());
  return std::move(measurement).Finish();
}

}  // namespace heapprof
