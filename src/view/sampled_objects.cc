// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/sampled_objects.h"

#include <cmath>

#include "heapprof/profile/sampling_period.h"

namespace heapprof {
namespace {

// Computes the numbers of sampled objects of single samples.
class Counter {
 public:
  Counter(const Profile& profile, Metric metric)
      : runs_{RunsOf(profile, Side::kNew), RunsOf(profile, Side::kBase)},
        is_mean_(profile.is_mean_of_runs),
        objects_(ObjectsOf(metric)),
        bytes_(BytesOf(metric)) {}

  double Of(const Sample& sample) const {
    const auto& runs = runs_[sample.side];
    const auto period =
        static_cast<double>(runs[RunOf(sample, runs.size())].sampling_period);
    if (period == 0) return 0;
    const double of_one =
        Sampled(std::abs(sample.values[objects_].value),
                std::abs(sample.values[bytes_].value), period);
    return is_mean_ ? of_one * static_cast<double>(runs.size()) : of_one;
  }

 private:
  static double Sampled(double objects, double bytes, double period) {
    if (objects == 0) return bytes / period;
    return objects * -std::expm1(-bytes / objects / period);
  }

  const Sides<std::vector<InputRun>> runs_;
  const bool is_mean_;
  const Metric objects_;
  const Metric bytes_;
};

}  // namespace

bool CountsSamples(const Profile& profile) {
  return MayMissAllocations(profile.sampling_period);
}

std::vector<Sample> CountSampled(const Profile& profile,
                                 std::span<const Sample> samples,
                                 Metric metric) {
  const Counter counter(profile, metric);
  std::vector<Sample> counted(samples.begin(), samples.end());
  for (Sample& sample : counted)
    sample.values[metric] = {counter.Of(sample), 0};
  return counted;
}

std::optional<SampleNumbers> SampledObjects(const Profile& profile,
                                            std::span<const Sample> samples,
                                            Metric metric) {
  if (!CountsSamples(profile)) return std::nullopt;
  const Counter counter(profile, metric);
  SampleNumbers numbers = {};
  for (const Sample& sample : samples)
    numbers[sample.side] += counter.Of(sample);
  return numbers;
}

}  // namespace heapprof
