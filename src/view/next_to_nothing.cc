// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/next_to_nothing.h"

#include <cstdint>

#include "heapprof/profile/stack_changes.h"
#include "heapprof/view/sampled_objects.h"

namespace heapprof {

double SampleCount(const Profile& profile, Metric metric) {
  const auto numbers = SampledObjects(profile, profile.samples, metric);
  return numbers ? BothSides(*numbers) : 0;
}

bool HoldsNextToNothing(const Profile& profile, Metric metric) {
  constexpr double kFewSamples = 9.5;  // counts are computed from estimates
  constexpr uint64_t kLittle = 16;
  if (!CountsSamples(profile)) return false;
  const double total = TotalOf(profile, Side::kNew)[BytesOf(metric)].value;
  return total < static_cast<double>(kLittle * profile.sampling_period) &&
         SampleCount(profile, metric) < kFewSamples;
}

std::string_view RateForSmall(const Profile& profile) {
  constexpr uint64_t kRate = 16 << 10;
  return profile.sampling_period > kRate &&
                 HasValue(profile, Metric::kInuseSpace)
             ? "--rate 16KiB"
             : "";
}

}  // namespace heapprof
