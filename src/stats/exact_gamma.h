// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heapprof {

// Quantiles of the gamma distribution, as LowerGammaQuantile() and
// UpperGammaQuantile() return them, but slow if `shape` is large.
double ExactLowerGammaQuantile(double shape, double below);
double ExactUpperGammaQuantile(double shape, double above);

}  // namespace heapprof
