// SPDX-License-Identifier: Apache-2.0
//
// The sizes of objects. A dump has their number and their bytes, so the mean
// size is known, also where a stack or a function allocates several sizes.
#pragma once

#include <optional>

#include "heapprof/profile/profile.h"

namespace heapprof {

// True if values of `metric` are in bytes, and the profile has the numbers of
// objects. False for comparisons: a change is not made of objects of its own.
bool KnowsObjectSizes(const Profile& profile, Metric metric);

// Returns the mean size of the objects, in whole bytes; none if there is not
// one object.
std::optional<double> MeanObjectSize(double bytes, double objects);

}  // namespace heapprof
