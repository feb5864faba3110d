// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/run_variation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "stats/log_gamma.h"
#include "stats/quantiles.h"

namespace heapprof {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// If a side has fewer runs, the variance between them is not computed.
constexpr size_t kFewestRuns = 3;

// The level of the tests for which MissingVariance() is wide enough.
constexpr double kLevelOfMissing = 0.05;

// No run varies less than by a byte.
constexpr double kLeastVariance = 1;

// The runs of an entry on a side.
struct SideRuns {
  double squares = 0;   // of the deviations from the mean, summed
  double degrees = 0;   // of freedom; 0: they cannot tell how runs vary
  double sampling = 0;  // variance of the sampling error of a run
  double square = 0;    // of the mean
};

SideRuns RunsOfSide(std::span<const Estimate> terms) {
  const auto count = static_cast<double>(terms.size());
  Estimate mean;
  for (const Estimate& term : terms) mean += term;
  SideRuns side = {.sampling = mean.variance * count,
                   .square = mean.value * mean.value};
  if (!CanVary(terms.size()) || mean.value == 0) return side;
  side.degrees = count - 1;
  for (const Estimate& term : terms)
    side.squares += std::pow(term.value * count - mean.value, 2);
  return side;
}

double VarianceOfRun(const RunVariation& variation, const SideRuns& side) {
  return std::max(kLeastVariance, variation.sampling * side.sampling +
                                      variation.relative * side.square);
}

// The sum of the squared deviations of the runs of an entry, each divided by
// the variance that the run is said to have.
struct Deviations {
  double sum = 0;
  double degrees = 0;

  void Add(const SideRuns& side, double variance) {
    if (side.degrees == 0 || variance <= 0) return;
    sum += side.squares / variance;
    degrees += side.degrees;
  }
  void Add(const SideRuns& side, const RunVariation& variation) {
    Add(side, VarianceOfRun(variation, side));
  }
};

Deviations DeviationsOf(const RunEstimates& entry,
                        const RunVariation& variation) {
  Deviations deviations;
  for (const Side side : kSides)
    deviations.Add(RunsOfSide(entry[side]), variation);
  return deviations;
}

// Returns which sum of squared deviations is exceeded with the probability
// `level`. Divided by its degrees of freedom, it has an F distribution.
double MostDeviations(double degrees, double prior, double level) {
  if (std::isinf(prior)) return 2 * UpperGammaQuantile(degrees / 2, level);
  const double share = BetaQuantile(degrees / 2, prior / 2, 1 - level);
  return prior * share / (1 - share);
}

// By which factor an entry with these deviations varies more than others: the
// mean of 1, with `prior` degrees of freedom, and of its own factor.
double ModeratedFactor(const Deviations& own, double prior) {
  return std::isinf(prior) ? 1 : (prior + own.sum) / (prior + own.degrees);
}

// Finds the variation under which the runs of the entries are most likely. For
// each number of prior degrees of freedom, the variances come from the EM
// algorithm: given by which factor each entry varies more than others, they are
// a weighted least-squares fit of the squared deviations. Fitted in turn
// instead, the degrees and the variances would hold each other in place.
class VariationFit {
 public:
  explicit VariationFit(std::span<const RunEstimates> entries) {
    for (const RunEstimates& entry : entries) Add(entry);
  }

  RunVariation Run() {
    RunVariation best;
    double highest = -kInfinity;
    RunVariation fit = {.relative = kFirstRelative};
    SetVarying(fit);
    for (const double prior : kPriors) {
      if (entries_.empty()) break;
      fit.prior_degrees = prior;
      FitVariances(fit);
      const double likelihood = LogLikelihood(fit) + LogExpectation(prior);
      if (likelihood <= highest) continue;
      highest = likelihood;
      best = fit;
    }
    return best;
  }

 private:
  struct Entry {
    Sides<SideRuns> sides = {};
    Deviations own = {};

    void Measure(const RunVariation& variation) {
      own = {};
      for (const Side side : kSides) own.Add(sides[side], variation);
    }
  };

  // The sums of a least-squares fit of y = sampling*v + relative*s.
  struct Sums {
    double vv = 0, vs = 0, ss = 0, vy = 0, sy = 0;
  };

  // With fewer samples in each run, an entry varies less than its sampling
  // error says: if only one run has a sample of it, that is all that it can
  // show.
  static constexpr double kFewestSamples = 3;
  static constexpr double kFirstRelative = 0.01;  // runs differ by 10 %
  static constexpr double kPriors[] = {kInfinity, 256, 128, 64, 32,
                                       16,        8,   4,   2,  1};
  static constexpr int kMostSteps = 50;

  static bool IsClose(double now, double before) {
    constexpr double kTolerance = 1e-3, kNegligible = 1e-8;
    return std::abs(now - before) <= kTolerance * before + kNegligible;
  }

  void Add(const RunEstimates& runs) {
    Entry entry;
    double squares = 0, sampling = 0, square = 0;
    for (const Side side : kSides) {
      entry.sides[side] = RunsOfSide(runs[side]);
      if (entry.sides[side].degrees == 0) continue;
      squares += entry.sides[side].squares;
      sampling += entry.sides[side].sampling;
      square += entry.sides[side].square;
    }
    if (square == 0 || square < kFewestSamples * sampling) return;
    if (squares + sampling == 0) {
      ++constant_;
      return;
    }
    entries_.push_back(entry);
    const auto& [now, base] = entry.sides;
    if (now.degrees > 0 && base.degrees > 0)
      ++(now.squares > 0 && base.squares > 0 ? two_sides_ : one_side_);
  }

  // Starts from the variances in `fit`, and sets its degrees, too.
  void FitVariances(RunVariation& fit) {
    for (int step = 0; step < kMostSteps; ++step) {
      Measure(fit);
      const RunVariation last = std::exchange(fit, WithVariances(fit));
      if (IsClose(fit.sampling, last.sampling) &&
          IsClose(fit.relative, last.relative))
        break;
    }
    Measure(fit);
    fit.degrees = 0;
    for (const Entry& entry : entries_) fit.degrees += entry.own.degrees;
  }

  // Few entries hardly show how much they differ: returns the logarithm of the
  // probability of these prior degrees of freedom, up to a constant. Infinitely
  // many count as 512.
  static double LogExpectation(double prior) {
    constexpr double kMean = 4, kDeviation = 2;  // of the logarithm to base 2
    const double log = std::log2(std::min(prior, 512.0));
    return -std::pow((log - kMean) / kDeviation, 2) / 2;
  }

  void Measure(const RunVariation& fit) {
    for (Entry& entry : entries_) entry.Measure(fit);
  }

  // Returns the logarithm of the likelihood of the deviations, which Measure()
  // has measured, up to a term that does not depend on `fit`. Divided by their
  // degrees of freedom, they have an F distribution.
  double LogLikelihood(const RunVariation& fit) const {
    const double prior = fit.prior_degrees;
    double likelihood = 0;
    for (const Entry& entry : entries_) {
      const auto& [sum, degrees] = entry.own;
      likelihood += std::isinf(prior)
                        ? -(degrees * std::log(2) + sum) / 2
                        : LogGamma((prior + degrees) / 2) -
                              LogGamma(prior / 2) -
                              (degrees * std::log(prior) +
                               (prior + degrees) * std::log1p(sum / prior)) /
                                  2;
      for (const Side side : kSides)
        likelihood -= entry.sides[side].degrees / 2 *
                      std::log(VarianceOfRun(fit, entry.sides[side]));
    }
    return likelihood;
  }

  // Returns `last` with better variances.
  RunVariation WithVariances(const RunVariation& last) const {
    Sums sums;
    for (const Entry& entry : entries_) {
      const double factor = ModeratedFactor(entry.own, last.prior_degrees);
      for (const Side side : kSides) {
        const auto& [squares, degrees, sampling, square] = entry.sides[side];
        if (degrees == 0) continue;
        const double scale = VarianceOfRun(last, entry.sides[side]);
        const double v = sampling / scale, s = square / scale;
        const double y = squares / degrees / factor / scale;
        sums.vv += degrees * v * v;
        sums.vs += degrees * v * s;
        sums.ss += degrees * s * s;
        sums.vy += degrees * v * y;
        sums.sy += degrees * s * y;
      }
    }
    RunVariation next = last;
    SolveFor(next, sums);
    return next;
  }

  // Sets the variances to those that fit best, with `sampling` at least 1 and
  // `relative` at least 0.
  static void SolveFor(RunVariation& fit, const Sums& sums) {
    constexpr double kLeastDeterminant = 1e-6;  // as a share
    const auto& [vv, vs, ss, vy, sy] = sums;
    const double determinant = vv * ss - vs * vs;
    if (determinant > kLeastDeterminant * vv * ss) {
      fit.sampling = (vy * ss - vs * sy) / determinant;
      fit.relative = (vv * sy - vs * vy) / determinant;
      if (fit.sampling >= 1 && fit.relative >= 0) return;
    }
    // The best ones are then on the border.
    const double relative = std::max(0.0, (sy - vs) / ss);
    const double sampling = vv == 0 ? 1 : std::max(1.0, vy / vv);
    const double of_relative =
        relative * (relative * ss + 2 * (vs - sy)) + vv - 2 * vy;
    const double of_sampling = sampling * (sampling * vv - 2 * vy);
    const bool is_relative = of_relative <= of_sampling;
    fit.sampling = is_relative ? 1 : sampling;
    fit.relative = is_relative ? relative : 0;
  }

  void SetVarying(RunVariation& fit) const {
    const auto varying = static_cast<double>(entries_.size());
    const double share = varying / (varying + constant_);
    if (two_sides_ > 0) fit.equal = one_side_ / (one_side_ + 2 * two_sides_);
    // Some of the constant ones vary, too.
    fit.varying = fit.equal == 1
                      ? share
                      : std::min(1.0, share / (1 - fit.equal * fit.equal));
  }

  std::vector<Entry> entries_;
  double constant_ = 0;  // number of exact entries that are equal in all runs
  // Number of exact entries with several runs on both sides that vary on one
  // side or on two.
  double one_side_ = 0, two_sides_ = 0;
};

double VarianceOfMean(const Estimate& mean, size_t runs,
                      const RunVariation& variation) {
  return variation.sampling * mean.variance + variation.relative * mean.value *
                                                  mean.value /
                                                  static_cast<double>(runs);
}

// Returns the probability that an entry varies although all runs of a side are
// equal.
double ChanceThatEqualVary(const RunEstimates& runs,
                           const RunVariation& variation) {
  double chance = variation.varying;
  for (const Side side : kSides)
    if (RunsOfSide(runs[side]).degrees > 0) chance *= variation.equal;
  const double never = 1 - variation.varying;
  return never == 0 ? 1 : chance / (chance + never);
}

// Runs that count every allocation may still lack an entry by chance, if some
// runs of the other side lack it, too. Returns MeasuredSide::missed of a side
// without the entry: what one occurrence stands for.
double MissedByChance(const RunEstimates& runs, Side side) {
  const std::vector<Estimate>& others =
      runs[side == Side::kNew ? Side::kBase : Side::kNew];
  if (!CanVary(others.size())) return 0;
  const auto [least, most] = std::ranges::minmax(others, {}, &Estimate::value);
  if (least.value != 0) return 0;
  const double occurrence = most.value * static_cast<double>(others.size());
  return occurrence / static_cast<double>(runs[side].size());
}

}  // namespace

bool CanVary(size_t runs) { return runs >= kFewestRuns; }

RunVariation VariationOf(const RunEstimates& entry) {
  Deviations sampled, exact;
  for (const Side side : kSides) {
    const SideRuns runs = RunsOfSide(entry[side]);
    if (runs.sampling > 0)
      sampled.Add(runs, runs.sampling);
    else
      exact.Add(runs, runs.square);
  }
  if (sampled.degrees + exact.degrees == 0) return {};
  RunVariation variation = {.degrees = sampled.degrees + exact.degrees};
  if (sampled.degrees > 0) variation.sampling = sampled.sum / sampled.degrees;
  if (exact.degrees > 0) variation.relative = exact.sum / exact.degrees;
  return variation;
}

RunVariation CommonVariation(std::span<const RunEstimates> entries) {
  return VariationFit(entries).Run();
}

double DegreesOf(const RunVariation& variation) {
  return std::min(variation.prior_degrees, variation.degrees);
}

void AddVariation(const RunVariation& variation, size_t runs,
                  MeasuredSide& side) {
  side.between_runs =
      variation.varying * VarianceOfMean(side.mean, runs, variation);
  side.degrees = DegreesOf(variation);
  side.missed *= std::max(1.0, variation.sampling);
}

void ModerateByOwnRuns(const RunEstimates& runs, const RunVariation& variation,
                       Growth& growth) {
  const Deviations own = DeviationsOf(runs, variation);
  if (own.degrees == 0) return;
  const double factor =
      ModeratedFactor(own, variation.prior_degrees) *
      (own.sum == 0 ? ChanceThatEqualVary(runs, variation) : 1);
  for (const Side side : kSides) {
    MeasuredSide& to = growth[side];
    if (std::isinf(to.degrees)) continue;
    if (to.mean.value == 0) {
      if (to.missed == 0) to.missed = MissedByChance(runs, side);
      continue;
    }
    const size_t count = runs[side].size();
    to.between_runs =
        factor * std::max(VarianceOfMean(to.mean, count, variation),
                          kLeastVariance / static_cast<double>(count));
    to.degrees =
        std::min(variation.prior_degrees + own.degrees, variation.degrees);
  }
}

std::optional<Sides<double>> MissingVariance(const RunEstimates& runs,
                                             const RunVariation& variation,
                                             double level) {
  const Deviations own = DeviationsOf(runs, variation);
  if (own.degrees == 0 ||
      own.sum <= MostDeviations(own.degrees, variation.prior_degrees, level))
    return std::nullopt;
  const double factor =
      own.sum / own.degrees * StudentWidening(own.degrees, kLevelOfMissing);
  Sides<double> missing = {};
  for (const Side side : kSides) {
    const auto count = static_cast<double>(runs[side].size());
    missing[side] = (factor - 1) *
                    VarianceOfRun(variation, RunsOfSide(runs[side])) / count /
                    variation.sampling;
  }
  return missing;
}

}  // namespace heapprof
