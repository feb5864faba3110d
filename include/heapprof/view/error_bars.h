// SPDX-License-Identifier: Apache-2.0
//
// Computes the error bars of the rows and totals of all reports: confidence
// intervals for values that jemalloc estimated by sampling, and for means of
// runs. This is the only place that decides whether a value has an error bar
// and how wide it is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/growth.h"
#include "heapprof/stats/interval.h"
#include "heapprof/stats/sum.h"

namespace heapprof {

// Says whether a metric has error bars and, if it has none, why.
enum class Exactness : uint8_t {
  kEstimated,      // has error bars
  kExact,          // every allocation was sampled, and nothing shows how runs
                   // vary
  kObjectCount,    // errors of object counts cannot be computed, because the
                   // sizes of the objects are not known well enough
  kUnknownPeriod,  // the input does not say how it was sampled
};

// Returns the metric whose errors say whether values of `metric` have changed.
// Object counts have no errors of their own, but they come from the samples of
// the bytes.
Metric JudgingMetric(const Profile& profile, Metric metric);

// What a value is about. The runs of a comparison may vary more than sampling
// explains, and more in the total than in its parts; see Dispersion. If threads
// share a seed, they may all have missed the same sample, but a single thread
// has missed it only once.
enum class Extent : uint8_t { kEntry, kThread, kTotal };

// How many sampling periods one sample stands for. It is more than 1 only if
// threads share a seed: then one sample is repeated in each of them, and so is
// a missed one.
class SampleRepetition {
 public:
  // No threads share a seed.
  SampleRepetition() = default;
  // Threads of the process that holds `total` share a seed. `period` is in
  // bytes.
  SampleRepetition(const Estimate& total, double period);

  // Raises it to that of `other`, if that is larger.
  void Raise(const SampleRepetition& other);

  // The repetition in a part of the total.
  double Of(const Estimate& sum, double period, Extent extent) const;

 private:
  double of_total_ = 1;
};

// How sums vary from run to run: by `sampling` times the variance of the
// sampling error, and by `relative` times the square of the value; see
// AddVariation(). If that is more than the sampling error alone, intervals
// multiply it by `widening`.
struct VariationOfSums {
  double sampling = 1;
  Sides<double> relative = {};
  double widening = 1;
};

// What a page needs to compute the intervals of sums that it makes itself. If
// threads may share a seed, it also needs what each of them has: the variance
// of a sum is then more than the sum of the variances, see SharedSeeds.
struct ErrorModel {
  // By side: how many bytes of a value one missed sample stands for, see
  // MeasuredSide::missed; none: values of this side have no error. 0: only runs
  // differ.
  Sides<std::optional<double>> missed = {};
  VariationOfSums entries = {};
  VariationOfSums total = {};
};

class ErrorBars {
 public:
  ErrorBars(const Profile& profile, Metric metric);

  Exactness exactness() const { return exactness_; }
  bool is_exact() const { return exactness_ == Exactness::kExact; }

  // True if reports show changes, so that Of() returns their intervals.
  bool is_comparison() const { return is_comparison_; }

  // True if values of this side have no errors. In a comparison, those of the
  // other side may still have some.
  bool IsExact(Side side) const {
    return is_exact() ||
           (exactness_ == Exactness::kEstimated && !missed_[side]);
  }

  // Returns the confidence interval of a value, or nothing if the metric or the
  // side has no error bars. If nothing was sampled, the true value may still be
  // greater than 0: its upper bound is -ln((1 - confidence) / 2) sampling
  // periods. A value without a side is one of the new side.
  std::optional<Interval> Of(const Estimate& value, Side side = Side::kNew,
                             Extent extent = Extent::kEntry) const;
  // Does the same for the difference of the sides or, if the profile is no
  // comparison, for the value of the new side.
  std::optional<Interval> Of(const Change& change,
                             Extent extent = Extent::kEntry) const;
  // Does the same for the difference of the sides, even if the profile is no
  // comparison.
  std::optional<Interval> OfDifference(const Change& change,
                                       Extent extent = Extent::kEntry) const;

  // Returns how runs of values of this extent vary in the profile.
  const RunVariation& VariationOf(Extent extent) const;

  // Returns the factor of variances between runs in intervals with this
  // probability beyond each bound; see MeasuredSide::degrees.
  double WideningOf(Extent extent, double tail) const;

  // Returns both sides of a change as the tests of growth need them.
  Growth GrowthOf(const Change& change, Extent extent = Extent::kEntry) const;
  // Does the same if runs vary otherwise than in the profile, for entries whose
  // own runs are known.
  Growth GrowthOf(const Change& change, Extent extent,
                  const RunVariation& variation) const;

  // Returns which of the changes that a report shows are proven, judged
  // together; see FindChanges(). Without error bars, all but 0 are. `judged`
  // are the values of the same rows in the metric of these error bars, which
  // may be another; see JudgingMetric(). What is sampled has to change in the
  // same direction.
  std::vector<bool> FindProven(std::span<const Change> shown,
                               std::span<const Change> judged,
                               Extent extent = Extent::kEntry) const;

  // Returns nothing if the metric has no error bars.
  std::optional<ErrorModel> Model() const;

  // Returns the effective number of samples: the number of samples of equal
  // size that would have the same relative error. This is S^2/V for a value S
  // with the variance V. For a change, returns the sum of the sides that are
  // not exact. Returns nothing if the metric or the side has no error bars.
  std::optional<double> Samples(const Estimate& value,
                                Side side = Side::kNew) const;
  std::optional<double> Samples(const Change& change) const;

 private:
  MeasuredSide Measured(const Estimate& value, Side side, Extent extent,
                        const RunVariation& variation) const;

  // Runs that count every allocation may still lack an entry by chance, if runs
  // of the other side vary so much that most may lack it, too. (Sampling does
  // not explain that.) Then sets MeasuredSide::missed of the side without it.
  void AllowForAbsence(Side side, const MeasuredSide& other,
                       MeasuredSide& absent) const;

  VariationOfSums VariationOfSumsIn(Extent extent) const;

  bool is_comparison_;
  Exactness exactness_;
  Dispersion dispersion_;
  Sides<std::optional<double>> missed_ = {};  // as ErrorModel::missed
  Sides<size_t> runs_;  // of how many runs a value is the mean
  SampleRepetition repetition_;
};

}  // namespace heapprof
