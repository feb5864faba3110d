// SPDX-License-Identifier: Apache-2.0
//
// Selects one thread's part of a profile, makes threads part of the stacks, and
// splits samples by thread.
#pragma once

#include <optional>
#include <string_view>

#include "heapprof/profile/filter_effect.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Keeps only the samples of selected threads. `selector` is a thread's uid, or
// a name that several threads may share; it is taken as a uid if any thread has
// this uid. If it is neither, it may be a uid as reports and dumps write it,
// such as "t3". Returns what was removed. If there is no such thread, removes
// all samples and returns nothing.
std::optional<FilterEffect> SelectThread(Profile& profile,
                                         std::string_view selector,
                                         Metric metric);

// Replaces the samples with the samples by thread. Each stack gets a frame for
// its thread, such as "[t3 wrk 1]", as its root.
void AddThreadRoots(Profile& profile);

// Replaces each sample by samples of single threads (see Sample::thread), whose
// values add up to its values. A value that belongs to no known thread stays
// with a sample for all threads. The lifetimes of objects are lost, because
// they are not known by thread.
void SplitByThread(Profile& profile);

}  // namespace heapprof
