// SPDX-License-Identifier: Apache-2.0
#include "compare/dispersion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heapprof/profile/samples_by_stack.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/stats/growth.h"
#include "heapprof/stats/run_variation.h"

namespace heapprof {
namespace {

// At this level, a stack varies far more than others. It is low because there
// may be many thousands of stacks.
constexpr double kStackLevel = 0.001;

// True if only some runs of a side have an entry.
bool IsOccasional(const RunEstimates& entry) {
  return std::ranges::any_of(kSides, [&entry](Side side) {
    const auto present = static_cast<size_t>(std::ranges::count_if(
        entry[side], [](const Estimate& run) { return run.value != 0; }));
    return present != 0 && present != entry[side].size();
  });
}

class DispersionMeasurement {
 public:
  explicit DispersionMeasurement(Profile& profile)
      : profile_(profile),
        seeds_(profile),
        stacks_(profile, profile.samples),
        stacks_of_threads_(profile, profile.thread_samples) {
    for (const Side side : kSides)
      empty_[side].resize(RunsOf(profile, side).size());
  }

  // Returns the dispersion that is left after the variances of stacks that vary
  // far more have been raised.
  Dispersion Run(Metric metric) {
    Dispersion dispersion;
    const RunEstimates sampled = Total(metric);
    for (const Side side : kSides) {
      RunEstimates of_side;
      of_side[side] = sampled[side];
      dispersion.of_sides[side] = std::max(1.0, VariationOf(of_side).sampling);
    }
    const std::vector<RunEstimates> functions = SumFunctions(metric);
    dispersion.entries = CommonVariation(functions);
    bool are_wider = WidenVaryingStacks(stacks_, profile_.samples, metric,
                                        dispersion.entries);
    are_wider |= WidenVaryingStacks(stacks_of_threads_, profile_.thread_samples,
                                    metric, dispersion.entries);
    are_wider |=
        WidenOccasionalFunctions(functions, metric, dispersion.entries);
    if (are_wider) dispersion.entries = CommonVariation(SumFunctions(metric));
    dispersion.total = VariationOf(Total(metric));
    return dispersion;
  }

 private:
  // Adds a sample to the sum of its run.
  void Add(const Sample& sample, Metric metric, RunEstimates& sums) const {
    if (sums[sample.side].empty()) sums = empty_;
    std::vector<Estimate>& runs = sums[sample.side];
    runs[RunOf(sample, runs.size())] += sample.values[metric];
  }

  // Returns the sums of the functions, by name.
  std::vector<RunEstimates> SumFunctions(Metric metric) const {
    std::vector<RunEstimates> sums(profile_.strings.size());
    std::vector<StackId> last(sums.size());  // the last stack added
    std::vector<uint32_t> names;
    for (uint32_t i = 1; i < profile_.stacks.size(); ++i) {
      const StackId stack = {i};
      const std::span<const uint32_t> samples = stacks_.Of(stack);
      if (samples.empty()) continue;
      names.clear();
      AddNames(stack, names);
      for (const uint32_t name : names)
        if (std::exchange(last[name], stack) != stack)
          for (const uint32_t sample : samples)
            Add(profile_.samples[sample], metric, sums[name]);
    }
    const auto names_of = [this](const Sample& sample,
                                 std::vector<uint32_t>& of) {
      AddNames(sample.stack, of);
    };
    AddShared(metric, names_of, sums);
    return sums;
  }

  // Adds the names of the functions on a stack.
  void AddNames(StackId stack, std::vector<uint32_t>& names) const {
    for (const LocationId frame : profile_.StackFrames(stack))
      for (const Line& line :
           profile_.LocationLines(profile_.locations[frame.index()]))
        names.push_back(profile_.functions[line.function.index()].name.value);
  }

  RunEstimates Total(Metric metric) const {
    RunEstimates sum = empty_;
    for (const Sample& sample : profile_.samples) Add(sample, metric, sum);
    AddShared(metric, AllInOneEntry, {&sum, 1});
    return sum;
  }

  // Adds what threads with the same seed add to the variances of `sums`, which
  // are indexed by entry.
  void AddShared(Metric metric, const EntriesOfSample& entries_of,
                 std::span<RunEstimates> sums) const {
    for (const auto& [entry, side, run, variance] :
         seeds_.Of(profile_.samples, metric, sums.size(), entries_of))
      if (!sums[entry][side].empty())
        sums[entry][side][run].variance += variance;
  }

  // Raises the variances of the stacks that vary far more than `variation`
  // explains. In samples of threads, each thread has stacks of its own. Leaves
  // occasional ones out: they may be those of generated code, which has other
  // addresses in each run. Returns false if there are no such stacks.
  bool WidenVaryingStacks(const SamplesByStack& stacks,
                          std::vector<Sample>& samples, Metric metric,
                          const RunVariation& variation) const {
    bool any = false;
    RunEstimates runs;
    stacks.ForEachStackAndThread([&](std::span<const uint32_t> of_stack) {
      runs = empty_;
      for (const uint32_t i : of_stack) Add(samples[i], metric, runs);
      if (IsOccasional(runs)) return;
      const auto missing = MissingVariance(runs, variation, kStackLevel);
      if (!missing) return;
      any = true;
      const Sides<double> of_byte = ByByte(*missing, runs);
      for (const uint32_t i : of_stack) Widen(of_byte, metric, samples[i]);
    });
    return any;
  }

  // Raises the variances of the stacks of functions that only some runs have,
  // unless sampling, which varies by `variation`, explains that. `functions`
  // are the sums by name. Returns false if there are no such functions.
  bool WidenOccasionalFunctions(const std::vector<RunEstimates>& functions,
                                Metric metric, const RunVariation& variation) {
    const RunVariation of_sampling = {.sampling = variation.sampling};
    std::vector<Sides<double>> of_byte(functions.size());
    bool any = false;
    for (size_t name = 0; name < functions.size(); ++name) {
      if (!IsOccasional(functions[name])) continue;
      const auto missing =
          MissingVariance(functions[name], of_sampling, kStackLevel);
      if (!missing) continue;
      any = true;
      of_byte[name] = ByByte(*missing, functions[name]);
    }
    if (!any) return false;
    for (auto* const samples : {&profile_.samples, &profile_.thread_samples})
      for (Sample& sample : *samples)
        Widen(LargestOf(of_byte, sample.stack), metric, sample);
    return true;
  }

  // Returns the largest of the values of the functions on a stack, which are by
  // name. An address without a name is another one in each run.
  Sides<double> LargestOf(const std::vector<Sides<double>>& functions,
                          StackId stack) const {
    Sides<double> largest = {};
    for (const LocationId frame : profile_.StackFrames(stack))
      for (const Line& line :
           profile_.LocationLines(profile_.locations[frame.index()])) {
        const Function& function = profile_.functions[line.function.index()];
        if (function.unresolved) continue;
        for (const Side side : kSides)
          largest[side] =
              std::max(largest[side], functions[function.name.value][side]);
      }
    return largest;
  }

  static void Widen(const Sides<double>& of_byte, Metric metric,
                    Sample& sample) {
    Estimate& estimate = sample.values[metric];
    estimate.variance += of_byte[sample.side] * std::abs(estimate.value);
  }

  // Divides the variance of each side by the bytes of the stack there.
  Sides<double> ByByte(const Sides<double>& variance,
                       const RunEstimates& stack) const {
    Sides<double> of_byte = {};
    for (const Side side : kSides) {
      double bytes = 0;
      for (const Estimate& run : stack[side]) bytes += std::abs(run.value);
      if (bytes > 0) of_byte[side] = variance[side] / bytes;
    }
    return of_byte;
  }

  Profile& profile_;
  const SharedSeeds seeds_;
  const SamplesByStack stacks_, stacks_of_threads_;
  RunEstimates empty_;
};

// False if the profile does not say how runs were sampled.
bool KnowsSampling(const Profile& profile) {
  return std::ranges::all_of(kSides, [&profile](Side side) {
    return std::ranges::none_of(RunsOf(profile, side), IsUnknown,
                                &InputRun::sampling_period);
  });
}

// Removes the variances of samples on this side; see IsExact().
void ClearVariances(Side side, std::vector<Sample>& samples) {
  for (Sample& sample : samples)
    if (sample.side == side)
      for (const Metric metric : kMetrics) sample.values[metric].variance = 0;
}

}  // namespace

void MeasureDispersion(Profile& profile) {
  const bool can_measure =
      CanVary(profile.runs.now.size()) || CanVary(profile.runs.base.size());
  if (!can_measure || !KnowsSampling(profile)) return;
  for (const Side side : kSides) {
    if (!std::ranges::all_of(RunsOf(profile, side), SamplesEverything,
                             &InputRun::sampling_period))
      continue;
    ClearVariances(side, profile.samples);
    ClearVariances(side, profile.thread_samples);
  }
  DispersionMeasurement measurement(profile);
  // The errors of object counts are unknown.
  for (const Metric metric : {Metric::kInuseSpace, Metric::kAllocSpace})
    if (HasMetric(profile, metric))
      profile.dispersions[static_cast<size_t>(metric)] =
          measurement.Run(metric);
}

}  // namespace heapprof
