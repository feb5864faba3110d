// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/recorded_counts.h"

namespace heapprof {

std::optional<RecordedCounts> RecordedCountsOf(const Values& values,
                                               uint64_t period) {
  if (period == 0) return std::nullopt;
  const auto scale = static_cast<double>(period);
  const auto current = InvertUnbias(values[Metric::kInuseObjects].value,
                                    values[Metric::kInuseSpace].value, scale);
  const auto accumulated =
      InvertUnbias(values[Metric::kAllocObjects].value,
                   values[Metric::kAllocSpace].value, scale);
  if (!current || !accumulated) return std::nullopt;
  return RecordedCounts{*current, *accumulated};
}

}  // namespace heapprof
