// SPDX-License-Identifier: Apache-2.0
//
// Adds up the values of a comparison by side and run. A side may have several
// runs (dumps); their mean is compared.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/growth.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

inline constexpr std::array kSides = {Side::kNew, Side::kBase};

constexpr size_t IndexOf(Side side) { return static_cast<size_t>(side); }

// One sum for each run of each side, indexed by Side, then by run.
using RunSums = std::array<std::vector<Estimate>, 2>;

// Returns the runs of a side. A profile without a list of runs has one run.
std::vector<InputRun> RunsOf(const Profile& profile, Side side);

// Describes a side of a comparison. Does not set `dispersion` and `total`.
ComparedSide ComparedSideOf(const Profile& profile, Side side);

// True if the sampling errors of the estimates of a side can be computed.
bool HasErrors(const ComparedSide& side, Metric metric);

// What one sample adds to RunSums, and where.
struct Term {
  size_t side = 0;
  size_t run = 0;
  Estimate estimate;
};

// Returns the term of a sample. Its variance is 0 if HasErrors() is false for
// the sample's side.
Term TermOf(const Sample& sample, const Comparison& comparison);

RunSums EmptySums(const Comparison& comparison);

inline void Add(const Term& term, RunSums& sums) {
  sums[term.side][term.run] += term.estimate;
}

Growth GrowthOf(const RunSums& sums, const Comparison& comparison,
                double dispersion);

}  // namespace heapprof
