// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/unbias.h"

#include <algorithm>
#include <cmath>

namespace heapprof {
namespace {

// The u for which g(u) = u^2/(e^u - 1) is largest: the root of 2(1 - e^-u) = u.
constexpr double kArgMaxG = 1.5936242600400401;

double G(double u) { return u * u / std::expm1(u); }

// Returns the largest mean of g(x/R) that a mix of objects can have if the mean
// of their sizes x is u*R. Times R^2, this is the most that an average object
// adds to the variance of the bytes.
double LargestG(double u) { return G(std::min(u, kArgMaxG)); }

}  // namespace

Unbiased Unbias(double objects, double bytes, double period) {
  if (objects == 0 || bytes == 0) return {};
  const double ratio = (bytes / objects) / period;
  const double sampled = 1 - std::exp(-ratio);
  // If objects are so small compared with the period that exp() rounds to 1,
  // use the limit of the formula.
  const double factor = 1 / (sampled > 0 ? sampled : ratio);
  const double estimated_objects = objects * factor;
  const double estimated_bytes = bytes * factor;
  return {.objects = {estimated_objects, estimated_objects / std::expm1(ratio)},
          .bytes = {estimated_bytes,
                    estimated_objects * period * period * LargestG(ratio)}};
}

Unbiased UnbiasOneSize(double objects, double size, double period) {
  Unbiased result = Unbias(objects, objects * size, period);
  if (size > 0)
    result.bytes.variance =
        result.objects.value * period * period * G(size / period);
  return result;
}

Unbiased WithVariance(double objects, double bytes, double period) {
  Unbiased result = {.objects = {objects, 0}, .bytes = {bytes, 0}};
  if (period == 0 || bytes == 0) return result;
  if (objects == 0) {
    result.bytes.variance = period * std::abs(bytes);
    return result;
  }
  const double ratio = std::abs(bytes / objects) / period;
  result.objects.variance = std::abs(objects) / std::expm1(ratio);
  result.bytes.variance = std::abs(objects) * period * period * LargestG(ratio);
  return result;
}

std::optional<SampledCount> InvertUnbias(double objects, double bytes,
                                         double period) {
  if (objects == 0 && bytes == 0) return SampledCount{};
  if (objects <= 0 || bytes <= 0) return std::nullopt;
  const double ratio = (bytes / objects) / period;
  const double sampled = 1 - std::exp(-ratio);
  const double factor = sampled > 0 ? sampled : ratio;
  const double n = std::round(objects * factor);
  const double s = std::round(bytes * factor);
  constexpr double kExactIntegers = 9007199254740992;  // 2^53
  if (n < 1 || s < 1 || s > kExactIntegers) return std::nullopt;
  const Unbiased again = Unbias(n, s, period);
  constexpr double kTolerance = 1e-9;
  if (std::abs(again.objects.value - objects) > kTolerance * objects ||
      std::abs(again.bytes.value - bytes) > kTolerance * bytes)
    return std::nullopt;
  return SampledCount{static_cast<uint64_t>(n), static_cast<uint64_t>(s)};
}

Unbiased Scale(Scaling scaling, double objects, double bytes, double period) {
  if (scaling == Scaling::kNone) return {{objects, 0}, {bytes, 0}};
  Unbiased result = Unbias(objects, bytes, period);
  if (scaling == Scaling::kV2 || objects == 0 || bytes == 0) return result;
  const double ratio = (bytes / objects) / period;
  result.objects.value = ratio < 1 ? objects / ratio : objects;
  result.bytes.value = ratio < 1 ? bytes / ratio : bytes;
  return result;
}

}  // namespace heapprof
