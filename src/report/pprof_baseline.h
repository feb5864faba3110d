// SPDX-License-Identifier: Apache-2.0
//
// What a baseline has in addition to other pprof profiles. See
// PprofOptions::is_baseline.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"
#include "report/pprof_samples.h"

namespace heapprof {

struct PprofType {
  std::string_view type;
  std::string_view unit;
};

// Returns the sample types of the counts in the dump. They come before the
// other sample types, because readers show the last one by default.
std::vector<PprofType> RecordedTypes(const Profile& profile);

// Returns the sampling period of the new side.
uint64_t BaselinePeriod(const Profile& profile);

// Returns the number of thread stacks in the memory map of each run.
std::string ThreadStacksComment(const Profile& profile);

// Returns the samples of the new side, and after them those of single threads.
// The values of the recorded types come before those of `types`. Samples are
// not added up, because the counts of a sum would not say how exact it is.
std::vector<PprofSample> BaselineSamples(const Profile& profile,
                                         std::span<const Metric> types);

}  // namespace heapprof
