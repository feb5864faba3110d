// SPDX-License-Identifier: Apache-2.0
//
// Quantiles that never throw: any numbers that a dump contains get an answer.
#pragma once

namespace heapprof {

// A standard normal variable is above this with the given probability.
double NormalQuantile(double above);

// The same for Student's t.
double StudentQuantile(double degrees, double above);

// The gamma distribution with scale 1 is below this with the given probability,
// and above that one. Both have their full precision for small probabilities.
double LowerGammaQuantile(double shape, double below);
double UpperGammaQuantile(double shape, double above);

}  // namespace heapprof
