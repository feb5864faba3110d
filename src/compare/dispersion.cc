// SPDX-License-Identifier: Apache-2.0
#include "compare/dispersion.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "heapprof/profile/shared_variance.h"
#include "heapprof/stats/growth.h"

namespace heapprof {
namespace {

using Runs = std::vector<Estimate>;
using RunsOfSides = Sides<Runs>;

class DispersionMeasurement {
 public:
  explicit DispersionMeasurement(const Profile& profile)
      : profile_(profile), seeds_(profile) {
    for (const Side side : kSides) {
      const std::vector<InputRun> runs = RunsOf(profile, side);
      empty_[side].resize(runs.size());
      is_sampled_[side] = std::ranges::all_of(
          runs, [](const InputRun& run) { return run.sampling_period > 1; });
    }
  }

  Dispersion Of(Metric metric) const {
    const RunsOfSides totals = TotalsOf(metric);
    return {.entries = OfFunctions(metric),
            .total = OverDispersion(std::array{totals.now, totals.base}),
            .of_sides = {OverDispersion(std::span(&totals.now, 1)),
                         OverDispersion(std::span(&totals.base, 1))}};
  }

 private:
  // Adds a sample to the sum of its run. Its variance is left out if it is not
  // a sampling error.
  void Add(const Sample& sample, Metric metric, RunsOfSides& sums) const {
    Runs& runs = sums[sample.side];
    Estimate& sum = runs[RunOf(sample, runs.size())];
    sum.value += sample.values[metric].value;
    if (is_sampled_[sample.side])
      sum.variance += sample.values[metric].variance;
  }

  double OfFunctions(Metric metric) const {
    std::vector<RunsOfSides> sums(profile_.strings.size());  // by name
    std::vector<const Sample*> last(sums.size());  // the last sample added
    for (const Sample& sample : profile_.samples)
      for (const LocationId frame : profile_.StackFrames(sample.stack))
        for (const Line& line :
             profile_.LocationLines(profile_.locations[frame.index()])) {
          const size_t name =
              profile_.functions[line.function.index()].name.index();
          if (std::exchange(last[name], &sample) == &sample) continue;
          if (sums[name].now.empty()) sums[name] = empty_;
          Add(sample, metric, sums[name]);
        }
    const auto names_of = [this](const Sample& sample,
                                 std::vector<uint32_t>& names) {
      for (const LocationId frame : profile_.StackFrames(sample.stack))
        for (const Line& line :
             profile_.LocationLines(profile_.locations[frame.index()]))
          names.push_back(profile_.functions[line.function.index()].name.value);
    };
    AddShared(metric, names_of, sums);
    std::vector<Runs> all;
    for (const RunsOfSides& sides : sums)
      if (!sides.now.empty()) all.insert(all.end(), {sides.now, sides.base});
    return OverDispersion(all);
  }

  RunsOfSides TotalsOf(Metric metric) const {
    std::vector<RunsOfSides> sums = {empty_};
    for (const Sample& sample : profile_.samples)
      Add(sample, metric, sums.front());
    AddShared(metric, AllInOneEntry, sums);
    return sums.front();
  }

  // Adds what threads with the same seed add to the variances of `sums`, which
  // are indexed by entry.
  void AddShared(Metric metric, const EntriesOfSample& entries_of,
                 std::vector<RunsOfSides>& sums) const {
    for (const auto& [entry, side, run, variance] :
         seeds_.Of(profile_.samples, metric, sums.size(), entries_of))
      if (is_sampled_[side] && !sums[entry][side].empty())
        sums[entry][side][run].variance += variance;
  }

  const Profile& profile_;
  const SharedSeeds seeds_;
  RunsOfSides empty_;
  Sides<bool> is_sampled_ = {};
};

}  // namespace

void MeasureDispersion(Profile& profile) {
  const bool can_measure =
      CanVary(profile.runs.now.size()) || CanVary(profile.runs.base.size());
  if (!can_measure) return;
  const DispersionMeasurement measurement(profile);
  // The errors of object counts are unknown.
  for (const Metric metric : {Metric::kInuseSpace, Metric::kAllocSpace})
    if (HasMetric(profile, metric))
      profile.dispersions[static_cast<size_t>(metric)] = measurement.Of(metric);
}

}  // namespace heapprof
