// SPDX-License-Identifier: Apache-2.0
//
// The error bars of the rows and totals of a report.
#pragma once

#include <cstdint>
#include <optional>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

// Whether a metric has error bars, and why not.
enum class Exactness : uint8_t {
  kSampled,        // it has
  kExact,          // every allocation was sampled
  kObjectCount,    // the sizes of objects are not known well enough
  kUnknownPeriod,  // the input does not say how it was sampled
};

class ErrorBars {
 public:
  ErrorBars(const Profile& profile, Metric metric);

  Exactness exactness() const { return exactness_; }
  bool is_exact() const { return exactness_ == Exactness::kExact; }

  // Nothing unless the metric has error bars. Where nothing was sampled, the
  // true value may still be up to -ln((1 - confidence) / 2) sampling periods.
  std::optional<Interval> Of(const Estimate& side) const;
  std::optional<Interval> Of(const Change& change) const;

  // How many samples of equal weight would be as exact: S^2/V; for a
  // difference, those of both sides. Nothing unless the metric has error bars.
  std::optional<double> Samples(const Estimate& side) const;
  std::optional<double> Samples(const Change& change) const;

 private:
  Exactness exactness_;
  double period_;
  double missed_ = 0;  // what may be there without any sample
};

}  // namespace heapprof
