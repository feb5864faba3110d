// SPDX-License-Identifier: Apache-2.0
#include "heapprof/explain/dump_samples.h"

#include "heapprof/profile/sampling_period.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/recorded_counts.h"

namespace heapprof {

DumpSamples DescribeSamples(const Profile& profile, uint64_t small_limit) {
  constexpr double kWide = 0.9973;
  const Estimate live = TotalOf(profile, Side::kNew)[Metric::kInuseSpace];
  const MeasuredSide side{
      .mean = live,
      .missed = MayMissAllocations(profile.sampling_period)
                    ? static_cast<double>(profile.sampling_period)
                    : 0};
  DumpSamples samples{.live = live.value,
                      .bounds = ConfidenceInterval(side, kConfidence),
                      .wide_bounds = ConfidenceInterval(side, kWide)};
  for (const Sample& sample : profile.samples) {
    const auto counts =
        RecordedCountsOf(sample.values, profile.sampling_period);
    if (!counts || counts->current.objects == 0) continue;
    const auto& [objects, bytes] = counts->current;
    if (bytes / objects >= small_limit) continue;
    samples.small_objects += objects;
    samples.small_bytes += bytes;
  }
  return samples;
}

}  // namespace heapprof
