// SPDX-License-Identifier: Apache-2.0
//
// Quantiles of distributions. These functions never throw, so they may be
// called with any numbers that a dump contains.
#pragma once

namespace heapprof {

// Returns what a standard normal variable exceeds with probability `above`.
double NormalQuantile(double above);

// Returns what a variable with Student's t distribution exceeds with
// probability `above`. `degrees` is its number of degrees of freedom.
double StudentQuantile(double degrees, double above);

// Return what a variable with the gamma distribution of scale 1 is less than
// with probability `below`, or exceeds with probability `above`. Both keep
// their full precision for small probabilities.
double LowerGammaQuantile(double shape, double below);
double UpperGammaQuantile(double shape, double above);

}  // namespace heapprof
