// SPDX-License-Identifier: Apache-2.0
//
// Estimates what a program holds from what a sampling allocator recorded, with
// the sampling error.
//
// Model (jemalloc, tcmalloc): an object of size x is sampled with probability p
// = 1 - exp(-x/R), where R is the sampling period in bytes. A line of a dump
// says that n sampled objects of one stack have s bytes in total.
#pragma once

#include <cstdint>
#include <optional>

namespace heapprof {

// An estimate and the variance of its sampling error. Both can be added over
// independent stacks.
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

// Estimates the values that one line represents. With x = s/n and f =
// 1/(1-exp(-x/R)): objects n*f, bytes s*f, computed in this order in doubles,
// so that the printed digits equal those of other tools with the same formula.
//
// Variance of the bytes: one object of size x contributes R^2*g(x/R) with g(u)
// = u^2/(e^u - 1). The line gives only the mean size; since g is concave up to
// its maximum at u = 1.594, the largest variance of any mix of sizes with this
// mean is N*R^2*g(min(x/R, 1.594)). Variance of the object count: N/(e^u - 1),
// which assumes objects of equal size.
//
// The result is 0 if n or s is 0. R must be positive.
Unbiased Unbias(double objects, double bytes, double period);

// The counts that an allocator recorded.
struct SampledCount {
  uint64_t objects = 0;
  uint64_t bytes = 0;
};

// The integers from which Unbias() computes these estimates; nothing if there
// are none, because the estimates were made in another way or added up.
std::optional<SampledCount> InvertUnbias(double objects, double bytes,
                                         double period);

// How a format's counts become estimates.
enum class Scaling : uint8_t {
  kNone,  // every object was counted
  kV1,    // old tcmalloc: an object of size x < R stands for R/x objects
  kV2,    // Unbias()
};

// With kV1, n and s are divided by (s/n)/R if that is below 1; the variance is
// that of kV2, which differs little. With kNone there is no error.
Unbiased Scale(Scaling scaling, double objects, double bytes, double period);

// Computes the variances of estimates that were unbiased elsewhere; of a
// difference, from its absolute value. If the object count is unknown (0), the
// variance of the bytes is R*S, a bound for objects of any size. If the period
// is unknown (R = 0), there is no variance.
Unbiased WithVariance(double objects, double bytes, double period);

}  // namespace heapprof
