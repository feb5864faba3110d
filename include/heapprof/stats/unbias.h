// SPDX-License-Identifier: Apache-2.0
//
// Estimates how much memory a program holds from the samples of a sampling
// allocator, and computes the sampling error.
//
// Model (jemalloc, tcmalloc): an object of size x is sampled with probability p
// = 1 - exp(-x/R), where R is the sampling period in bytes. A line of a dump
// says that n sampled objects of one stack have s bytes in total.
#pragma once

#include <cstdint>
#include <optional>

namespace heapprof {

// An estimate and the variance of its sampling error. The estimates of several
// stacks are independent, so values and variances may be added.
struct Estimate {
  double value = 0;
  double variance = 0;

  Estimate& operator+=(const Estimate& other) {
    value += other.value;
    variance += other.variance;
    return *this;
  }
};

struct Unbiased {
  Estimate objects;
  Estimate bytes;
};

// Estimates the values that one line represents. With the mean size x = s/n and
// the factor f = 1/(1-exp(-x/R)), there are N = n*f objects of s*f bytes in
// total. The formula is computed in doubles in exactly this order, so that the
// printed digits equal those of other tools with the same formula.
//
// Variance of the bytes: one object of size x contributes R^2*g(x/R) with g(u)
// = u^2/(e^u - 1). The line gives only the mean size, so the objects are
// assumed to have the mix of sizes with the largest variance. Since g is
// concave up to its maximum at u = 1.594, that variance is N*R^2*g(min(x/R,
// 1.594)).
//
// Variance of the object count: N/(e^u - 1) with u = x/R, which assumes objects
// of equal size.
//
// `objects` is n, `bytes` is s, and `period` is R, which must be positive. The
// result is 0 if n or s is 0.
Unbiased Unbias(double objects, double bytes, double period);

// Like Unbias(), for `objects` sampled objects of `size` bytes each. As they
// are known to be of one size, the variance of the bytes is N*R^2*g(x/R), which
// is less than that of the worst mix.
Unbiased UnbiasOneSize(double objects, double size, double period);

// The counts that an allocator recorded, before any scaling.
struct SampledCount {
  uint64_t objects = 0;
  uint64_t bytes = 0;
};

// The inverse of Unbias(): returns the integers n and s for which Unbias()
// returns the estimates `objects` and `bytes`. Returns nothing if there are no
// such integers, as for sums of estimates or for another formula.
std::optional<SampledCount> InvertUnbias(double objects, double bytes,
                                         double period);

// How the counts in a dump become estimates; depends on the dump's format.
enum class Scaling : uint8_t {
  kNone,  // every object was counted
  kV1,    // old tcmalloc: an object of size x < R stands for R/x objects
  kV2,    // the formula of Unbias()
};

// Makes estimates from n `objects` of s `bytes`:
//   kNone  returns n and s, with variance 0
//   kV1    divides n and s by (s/n)/R if that is below 1; takes the variances
//          of kV2, which differ little
//   kV2    calls Unbias()
Unbiased Scale(Scaling scaling, double objects, double bytes, double period);

// Adds variances to values that another program has already scaled. A value may
// be negative, because it may be a difference; it gets the variance of its
// absolute value. If the object count is unknown (0), the variance of the bytes
// is `period` * `bytes`, an upper bound for objects of any size. If the period
// is unknown (0), the variance is unknown, too, and is set to 0.
Unbiased WithVariance(double objects, double bytes, double period);

}  // namespace heapprof
