// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/object_sizes.h"

#include <cmath>

namespace heapprof {

bool KnowsObjectSizes(const Profile& profile, Metric metric) {
  return profile.has_object_counts && !profile.is_comparison &&
         !IsObjectCount(metric);
}

std::optional<double> MeanObjectSize(double bytes, double objects) {
  if (objects < 1 || bytes < 0) return std::nullopt;
  return std::round(bytes / objects);
}

}  // namespace heapprof
