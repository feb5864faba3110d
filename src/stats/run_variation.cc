// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/run_variation.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "stats/quantiles.h"

namespace heapprof {
namespace {

// If a side has fewer runs, the variance between them is not computed.
constexpr size_t kFewestRuns = 3;

// At this level, an entry varies more than the others.
constexpr double kLevel = 0.01;

// The deviations of runs from the means of their sides, squared and added up.
struct Deviations {
  double bytes = 0;     // in bytes
  double sampling = 0;  // each divided by the variance of its sampling error
  double degrees = 0;   // of freedom
};

bool IsSampled(std::span<const Estimate> runs) {
  return std::ranges::any_of(
      runs, [](const Estimate& run) { return run.variance > 0; });
}

// Adds the deviations of the runs of a side.
void AddRuns(std::span<const Estimate> runs, Deviations& sum) {
  if (!CanVary(runs.size())) return;
  const auto count = static_cast<double>(runs.size());
  const Estimate mean = MeanOfRuns(runs, 0, 1).mean;
  if (mean.value == 0) return;
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

Deviations DeviationsOf(const RunEstimates& entry) {
  Deviations sum;
  for (const Side side : kSides) AddRuns(entry[side], sum);
  return sum;
}

double DispersionOf(const Deviations& sum) {
  return sum.degrees == 0 ? 1
                          : std::max(1.0, sum.sampling / sum.degrees *
                                              StudentWidening(sum.degrees));
}

bool Explains(double dispersion, const Deviations& entry, double level) {
  const double most = 2 * UpperGammaQuantile(entry.degrees / 2, level);
  return entry.sampling <= most * dispersion;
}

}  // namespace

bool CanVary(size_t runs) { return runs >= kFewestRuns; }

double OverDispersion(std::span<const std::vector<Estimate>> sides) {
  Deviations sum;
  for (const std::vector<Estimate>& runs : sides)
    if (IsSampled(runs)) AddRuns(runs, sum);
  return DispersionOf(sum);
}

double CommonDispersion(std::span<const RunEstimates> entries) {
  std::vector<Deviations> left;
  for (const RunEstimates& entry : entries)
    if (const Deviations each = DeviationsOf(entry); each.degrees > 0)
      left.push_back(each);
  Deviations alike;
  for (size_t before = left.size() + 1; left.size() < before;) {
    before = left.size();
    const double dispersion = DispersionOf(alike);
    std::erase_if(left, [&](const Deviations& entry) {
      if (!Explains(dispersion, entry, kLevel)) return false;
      alike.sampling += entry.sampling;
      alike.degrees += entry.degrees;
      return true;
    });
  }
  return DispersionOf(alike);
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
