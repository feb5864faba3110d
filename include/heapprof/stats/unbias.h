// SPDX-License-Identifier: Apache-2.0
//
// From what a sampling allocator recorded to what the program holds, with the
// sampling error beside it.
//
// Model (jemalloc, tcmalloc): an object of size x is sampled with probability
// p = 1 - exp(-x/R), R = the sampling period in bytes. A line of a dump says
// how many sampled objects n of a stack make up s bytes.
#pragma once

#include <cstdint>
#include <optional>

namespace heapprof {

// An estimate and the variance of its sampling error. Both add up over
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

// Estimates what one line stands for. With x = s/n and f = 1/(1-exp(-x/R)):
// objects n*f, bytes s*f, computed in this order in doubles, so that the
// printed digits equal those of other tools using the same formula.
//
// Variance of the bytes: one object of size x contributes R^2*g(x/R) with
// g(u) = u^2/(e^u - 1). The line tells only the mean size; since g is concave
// up to its maximum at u = 1.594, the largest variance that any mix of sizes
// with this mean can have is N*R^2*g(min(x/R, 1.594)). Variance of the object
// count: N/(e^u - 1), for objects of equal size only.
//
// n = 0 or s = 0 gives zeros. R must be positive.
Unbiased Unbias(double objects, double bytes, double period);

// What an allocator recorded.
struct SampledCount {
  uint64_t objects = 0;
  uint64_t bytes = 0;
};

// The integers that Unbias() makes these estimates of; nothing if there are
// none, because the estimates were made otherwise or added up.
std::optional<SampledCount> InvertUnbias(double objects, double bytes,
                                         double period);

// How a format's counts become estimates.
enum class Scaling : uint8_t {
  kNone,  // every object was counted
  kV1,    // old tcmalloc: an object of size x < R stands for R/x objects
  kV2,    // Unbias()
};

// With kV1 n and s are divided by (s/n)/R where that is below 1; the variance
// is that of kV2, which differs little. With kNone there is no error.
Unbiased Scale(Scaling scaling, double objects, double bytes, double period);

// The same variances for estimates that were unbiased by others; for a
// difference, of its absolute value. Without a count (objects = 0) the bytes
// get the bound that holds for objects of any size, R*S. R = 0: not known,
// no variance.
Unbiased WithVariance(double objects, double bytes, double period);

}  // namespace heapprof
