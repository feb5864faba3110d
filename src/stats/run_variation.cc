// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/run_variation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "stats/quantiles.h"

namespace heapprof {
namespace {

// At this level, an entry varies more than the others.
constexpr double kLevel = 0.01;

// The deviations of runs from the means of their sides, squared and added up.
struct Deviations {
  double bytes = 0;     // in bytes
  double sampling = 0;  // each divided by the variance of its sampling error
  double degrees = 0;   // of freedom
};

Estimate MeanOf(std::span<const Estimate> runs) {
  return MeanOfRuns(runs, 0, 1).mean;
}

Deviations DeviationsOf(const RunEstimates& entry) {
  Deviations sum;
  for (const std::vector<Estimate>& runs : {entry.now, entry.base}) {
    if (!CanVary(runs.size())) continue;
    const auto count = static_cast<double>(runs.size());
    const Estimate mean = MeanOf(runs);
    if (mean.value == 0) continue;
    double squares = 0;
    for (const Estimate& run : runs)
      squares += (run.value - mean.value) * (run.value - mean.value);
    if (mean.variance > 0)
      sum.sampling += squares / (mean.variance * count);
    else if (squares > 0)
      sum.sampling = std::numeric_limits<double>::infinity();
    sum.bytes += squares * count * count;
    sum.degrees += count - 1;
  }
  return sum;
}

bool Explains(double dispersion, const Deviations& entry, double level) {
  const double most = 2 * UpperGammaQuantile(entry.degrees / 2, level);
  return entry.sampling <= most * dispersion;
}

}  // namespace

double CommonDispersion(std::span<const RunEstimates> entries) {
  std::vector<Deviations> left;
  for (const RunEstimates& entry : entries)
    if (const Deviations each = DeviationsOf(entry); each.degrees > 0)
      left.push_back(each);
  double squares = 0, degrees = 0, dispersion = 1;
  for (size_t before = left.size() + 1; left.size() < before;) {
    before = left.size();
    std::erase_if(left, [&](const Deviations& entry) {
      if (!Explains(dispersion, entry, kLevel)) return false;
      squares += entry.sampling;
      degrees += entry.degrees;
      return true;
    });
    if (degrees > 0)
      dispersion = std::max(1.0, squares / degrees * StudentWidening(degrees));
  }
  return dispersion;
}

std::optional<double> OwnVariance(const RunEstimates& runs, double dispersion,
                                  double level) {
  const Deviations own = DeviationsOf(runs);
  if (own.degrees == 0 || Explains(dispersion, own, level)) return std::nullopt;
  return own.bytes / own.degrees * StudentWidening(own.degrees);
}

void WidenByOwnRuns(const RunEstimates& runs, double dispersion,
                    Growth& growth) {
  const std::optional<double> variance = OwnVariance(runs, dispersion, kLevel);
  if (!variance) return;
  for (const Side side : kSides) {
    MeasuredSide& of_side = growth[side];
    if (of_side.missed == 0 || of_side.mean.value == 0) continue;
    of_side.mean.variance =
        std::max(of_side.mean.variance,
                 *variance / static_cast<double>(runs[side].size()));
  }
}

}  // namespace heapprof
