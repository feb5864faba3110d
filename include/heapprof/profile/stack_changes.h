// SPDX-License-Identifier: Apache-2.0
//
// The values of each stack on both sides of a comparison. Whatever must know by
// how much a single stack has changed starts here; sums of many stacks may add
// up the samples of each side instead.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/sum.h"

namespace heapprof {

struct StackChange {
  StackId stack = {};
  Change sides = {};

  double value() const { return Difference(sides); }
  double size() const { return std::abs(value()); }
};

// Adds up the samples of each stack, in the order of their first samples.
// Stacks without a value on either side are left out.
std::vector<StackChange> ChangesByStack(const Profile& profile,
                                        std::span<const Sample> samples,
                                        Metric metric);

// The same for every stack of the profile, by StackId.
std::vector<Change> ChangesOfAllStacks(const Profile& profile,
                                       std::span<const Sample> samples,
                                       Metric metric);

// True if any sample has a value of this metric: of `side`, or of either.
bool HasValue(const Profile& profile, Metric metric,
              std::optional<Side> side = {});

// True if reports have something to show: a stack has a value or, in a
// comparison, has changed.
bool HasChange(const Profile& profile, Metric metric);
// True if any stack of `samples` has different sums on the two sides.
bool AnyStackChanges(const Profile& profile, std::span<const Sample> samples,
                     Metric metric);

// Returns the first of inuse_space, alloc_space, inuse_objects and
// alloc_objects for which any sample has a value; nothing if there is none.
std::optional<Metric> MetricWithValues(const Profile& profile);

}  // namespace heapprof
