// SPDX-License-Identifier: Apache-2.0
//
// Computes the error bars of the rows and totals of a report: confidence
// intervals for values that jemalloc estimated by sampling.
#pragma once

#include <cstdint>
#include <optional>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

// Says whether a metric has error bars and, if it has none, why.
enum class Exactness : uint8_t {
  kSampled,        // has error bars
  kExact,          // every allocation was sampled
  kObjectCount,    // errors of object counts cannot be computed, because the
                   // sizes of the objects are not known well enough
  kUnknownPeriod,  // the input does not say how it was sampled
};

class ErrorBars {
 public:
  ErrorBars(const Profile& profile, Metric metric);

  Exactness exactness() const { return exactness_; }
  bool is_exact() const { return exactness_ == Exactness::kExact; }

  // Returns the confidence interval of a value, or nothing if the metric has no
  // error bars. If nothing was sampled, the true value may still be greater
  // than 0: its upper bound is -ln((1 - confidence) / 2) sampling periods.
  std::optional<Interval> Of(const Estimate& side) const;
  std::optional<Interval> Of(const Change& change) const;

  // Returns the effective number of samples: the number of samples of equal
  // size that would have the same relative error. This is S^2/V for a value S
  // with the variance V. For a change, returns the sum of both sides. Returns
  // nothing if the metric has no error bars.
  std::optional<double> Samples(const Estimate& side) const;
  std::optional<double> Samples(const Change& change) const;

 private:
  Exactness exactness_;
  double period_;
};

}  // namespace heapprof
