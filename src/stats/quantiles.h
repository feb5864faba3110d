// SPDX-License-Identifier: Apache-2.0
//
// Quantiles of distributions. These functions never throw, so they may be
// called with any numbers that a dump contains.
#pragma once

namespace heapprof {

// Returns the value that a standard normal variable exceeds with probability
// `above`.
double NormalQuantile(double above);

// Returns the value that a variable with Student's t distribution exceeds with
// probability `above`. `degrees` is the number of degrees of freedom.
double StudentQuantile(double degrees, double above);

// Returns the factor for a variance that was estimated with `degrees` degrees
// of freedom, for tests at the level `above`, which is below 1/2. A test that
// uses the product instead of the true variance reports growth wrongly no more
// often. It is 1 if there are infinitely many degrees.
double StudentWidening(double degrees, double above);

// LowerGammaQuantile() returns the value below which a variable with the gamma
// distribution of scale 1 lies with probability `below`. UpperGammaQuantile()
// returns the value above which it lies with probability `above`. There are two
// functions because 1 - p would lose the precision of a small probability p.
double LowerGammaQuantile(double shape, double below);
double UpperGammaQuantile(double shape, double above);

// Returns the value below which a variable with the beta distribution lies with
// probability `below`.
double BetaQuantile(double a, double b, double below);

}  // namespace heapprof
