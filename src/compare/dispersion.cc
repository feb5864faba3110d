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
using RunsOfSides = std::array<Runs, 2>;  // by Side

class DispersionMeasurement {
 public:
  explicit DispersionMeasurement(const Profile& profile) : profile_(profile) {
    for (const Side side : kSides) {
      const std::vector<InputRun> runs = RunsOf(profile, side);
      empty_[IndexOf(side)].resize(runs.size());
      is_sampled_[IndexOf(side)] = std::ranges::all_of(
          runs, [](const InputRun& run) { return run.sampling_period > 1; });
    }
  }

  Dispersion Of(Metric metric) const {
    const RunsOfSides totals = TotalsOf(metric);
    return {.entries = OfFunctions(metric),
            .total = OverDispersion(totals),
            .of_sides = {OverDispersion(std::span(&totals[0], 1)),
                         OverDispersion(std::span(&totals[1], 1))}};
  }

 private:
  // Adds a sample to the sum of its run. Its variance is left out if it is not
  // a sampling error.
  void Add(const Sample& sample, Metric metric, RunsOfSides& sums) const {
    Runs& runs = sums[IndexOf(sample.side)];
    Estimate& sum = runs[std::min<size_t>(sample.run, runs.size() - 1)];
    sum.value += sample.values[metric].value;
    if (is_sampled_[IndexOf(sample.side)])
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
          if (sums[name][0].empty()) sums[name] = empty_;
          Add(sample, metric, sums[name]);
        }
    std::vector<Runs> all;
    for (const RunsOfSides& sides : sums)
      if (!sides[0].empty()) all.insert(all.end(), sides.begin(), sides.end());
    return OverDispersion(all);
  }

  RunsOfSides TotalsOf(Metric metric) const {
    RunsOfSides sums = empty_;
    for (const Sample& sample : profile_.samples) Add(sample, metric, sums);
    const auto shared = SharedVariances(profile_, metric);
    for (size_t side = 0; side < sums.size(); ++side)
      for (size_t run = 0; run < sums[side].size(); ++run)
        if (is_sampled_[side]) sums[side][run].variance += shared[side][run];
    return sums;
  }

  const Profile& profile_;
  RunsOfSides empty_;
  std::array<bool, 2> is_sampled_ = {};
};

}  // namespace

void MeasureDispersion(Profile& profile) {
  const bool can_measure = std::ranges::any_of(
      profile.runs, [](const auto& runs) { return CanVary(runs.size()); });
  if (!can_measure) return;
  const DispersionMeasurement measurement(profile);
  // The errors of object counts are unknown.
  for (const Metric metric : {Metric::kInuseSpace, Metric::kAllocSpace})
    if (HasMetric(profile, metric))
      profile.dispersions[static_cast<size_t>(metric)] = measurement.Of(metric);
}

}  // namespace heapprof
