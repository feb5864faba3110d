// SPDX-License-Identifier: Apache-2.0
#include "parse/mixed_sizes.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heapprof {
namespace {

// True if jemalloc rounds sizes up to this one: from 128 bytes on, there are
// four such sizes between two powers of two.
bool IsSizeClass(uint64_t size) {
  constexpr uint64_t kTiny = 8, kQuantum = 16, kPerDoubling = 4;
  if (size == kTiny) return true;
  const uint64_t power = std::bit_floor(size - 1);  // the next lower one
  return size % std::max(kQuantum, power / kPerDoubling) == 0;
}

}  // namespace

void MixedSizes::Add(const Count& live, const Estimate& estimate,
                     double period) {
  objects_ += live.objects;
  bytes_ += live.bytes;
  if (live.objects == 0 || (live.bytes % live.objects == 0 &&
                            IsSizeClass(live.bytes / live.objects)))
    return;
  constexpr double kDeviations = 2;
  const double missing = static_cast<double>(live.objects) * period +
                         static_cast<double>(live.bytes) - estimate.value;
  if (missing > kDeviations * std::sqrt(estimate.variance)) missing_ += missing;
}

void MixedSizes::Add(const MixedSizes& other) {
  objects_ += other.objects_;
  bytes_ += other.bytes_;
  missing_ += other.missing_;
}

double MixedSizes::Missing(const Count& header) const {
  constexpr double kLeastShare = 0.01;  // of the sampled bytes
  return header.objects == objects_ && header.bytes == bytes_ &&
                 missing_ >= kLeastShare * static_cast<double>(bytes_)
             ? missing_
             : 0;
}

}  // namespace heapprof
