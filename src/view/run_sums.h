// SPDX-License-Identifier: Apache-2.0
//
// The values of a comparison by side and run.
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

// By Side, then by run.
using RunSums = std::array<std::vector<Estimate>, 2>;

// A profile that was not merged has one run on each side.
std::vector<InputRun> RunsOf(const Profile& profile, Side side);

// Without its dispersion and total.
ComparedSide ComparedSideOf(const Profile& profile, Side side);

// True if the estimates of a side have errors that are known.
bool HasErrors(const ComparedSide& side, Metric metric);

// What one sample adds to the sums.
struct Term {
  size_t side = 0;
  size_t run = 0;
  Estimate estimate;
};

// Without a variance if the errors are not known.
Term TermOf(const Sample& sample, const Comparison& comparison);

RunSums EmptySums(const Comparison& comparison);

inline void Add(const Term& term, RunSums& sums) {
  sums[term.side][term.run] += term.estimate;
}

Growth GrowthOf(const RunSums& sums, const Comparison& comparison,
                double dispersion);

}  // namespace heapprof
