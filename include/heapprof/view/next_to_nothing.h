// SPDX-License-Identifier: Apache-2.0
//
// Dumps that were written after the program had freed its memory, or of a
// process that is small for their sampling period.
#pragma once

#include <string_view>

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

// Returns the option of `heapprof record` that makes more of such a dump if the
// process is small; empty if it held nothing or was sampled as often already.
std::string_view RateForSmall(const Profile& profile);

}  // namespace heapprof
