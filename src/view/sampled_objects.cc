// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/sampled_objects.h"

#include <cmath>

#include "heapprof/profile/sampling_period.h"
#include "view/objects_in_run.h"

namespace heapprof {
namespace {

double Sampled(const ObjectsInRun& of) {
  if (of.period == 0) return 0;
  if (of.objects == 0) return of.bytes / of.period;
  return of.objects * -std::expm1(-of.bytes / of.objects / of.period);
}

}  // namespace

bool CountsSamples(const Profile& profile) {
  return MayMissAllocations(profile.sampling_period);
}

std::vector<Sample> CountSampled(const Profile& profile,
                                 std::span<const Sample> samples,
                                 Metric metric) {
  const ObjectsOfSamples objects(profile, metric);
  std::vector<Sample> counted(samples.begin(), samples.end());
  for (Sample& sample : counted)
    sample.values[metric] = {Sampled(objects.Of(sample)), 0};
  return counted;
}

std::optional<SampleNumbers> SampledObjects(const Profile& profile,
                                            std::span<const Sample> samples,
                                            Metric metric) {
  if (!CountsSamples(profile)) return std::nullopt;
  const ObjectsOfSamples objects(profile, metric);
  SampleNumbers numbers = {};
  for (const Sample& sample : samples)
    numbers[sample.side] += Sampled(objects.Of(sample));
  return numbers;
}

}  // namespace heapprof
