// SPDX-License-Identifier: Apache-2.0
//
// Dumps that were written after the program had freed its memory.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Returns about how many sampled objects the values of `metric` come from; 0 if
// that is unknown.
double SampleCount(const Profile& profile, Metric metric);

// Returns true if the profile has so few samples, and so little memory, that it
// shows nothing. Few samples of large objects are enough, because large objects
// are hardly ever missed. In 16 sampling periods, ten samples are to be
// expected of small objects, whatever their sizes.
bool HoldsNextToNothing(const Profile& profile, Metric metric);

}  // namespace heapprof
