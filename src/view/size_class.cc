// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/size_class.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "heapprof/stats/unbias.h"

namespace heapprof {
namespace {

constexpr uint64_t kSmallest = 8, kQuantum = 16;

// Returns how far the class of `size`, which must not be 0, is above the one
// below.
uint64_t StepBelow(uint64_t size) {
  return std::max(kQuantum, std::bit_floor(size - 1) / 4);
}

// Returns the class below that of `size`.
uint64_t ClassBelow(uint64_t size) {
  if (size <= kQuantum) return kSmallest;
  return size - StepBelow(size);
}

// What jemalloc 5.3 dumps for sampled objects of one size.
class DumpedSize {
 public:
  DumpedSize(uint64_t size, double period) {
    const auto exact = static_cast<double>(size);
    const double sampled = -std::expm1(-exact / period);
    constexpr double kParts = 8;  // of an object
    const double objects = std::round(kParts / sampled) / kParts;
    const double bytes = std::round(exact / sampled);
    mean_ = bytes / objects;
    bytes_of_one_ = bytes * -std::expm1(-mean_ / period);
  }

  // The mean size of many objects.
  double mean() const { return mean_; }

  // What `samples` objects leave in a dump.
  double BytesOf(double samples) const { return samples * bytes_of_one_; }
  double ObjectsOf(double samples) const { return BytesOf(samples) / mean_; }

 private:
  double mean_ = 0;
  double bytes_of_one_ = 0;
};

}  // namespace

uint64_t SizeClassOf(uint64_t size) {
  if (size <= kSmallest) return kSmallest;
  const uint64_t step = StepBelow(size);
  return (size + step - 1) / step * step;
}

bool MayBeOfSize(uint64_t objects, uint64_t bytes, uint64_t size,
                 double period) {
  const DumpedSize dumped(size, period);
  const auto sum = static_cast<double>(bytes);
  const double samples = std::round(sum / dumped.BytesOf(1));
  return std::abs(dumped.BytesOf(samples) - sum) <= 1 &&
         std::llround(dumped.ObjectsOf(samples)) ==
             static_cast<int64_t>(objects);
}

uint64_t SizeClassOfObjects(double objects, double bytes, double period) {
  const double mean = bytes / objects;
  // Above this, every size is in a class of its own.
  constexpr double kLargest = 1e18;
  if (!(mean < kLargest)) return 0;
  const uint64_t rounded =
      SizeClassOf(static_cast<uint64_t>(std::llround(mean)));
  if (period <= 1) return rounded;
  const std::optional<SampledCount> count =
      InvertUnbias(objects, bytes, period);
  // Before 5.3, the mean is right.
  if (count && count->bytes == count->objects * rounded) return rounded;
  const uint64_t below = ClassBelow(rounded);
  if (count)
    for (const uint64_t size :
         {rounded, below, SizeClassOf(rounded + 1), ClassBelow(below)})
      if (MayBeOfSize(count->objects, count->bytes, size, period)) return size;
  // A sum of several samples, or objects of several sizes.
  constexpr double kTolerance = 1.001;
  return mean <= kTolerance * DumpedSize(below, period).mean() ? below
                                                               : rounded;
}

}  // namespace heapprof
