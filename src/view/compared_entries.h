// SPDX-License-Identifier: Apache-2.0
//
// What the samples of a comparison count for: entries whose keys are equal on
// both sides.
#pragma once

#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

struct ComparedEntries {
  // Keys, names and places, without numbers.
  std::vector<ComparisonEntry> entries = {};
  SampleEntries samples = {};
};

ComparedEntries FindEntries(const Profile& profile,
                            const ComparisonOptions& options);

// The samples that are compared.
const std::vector<Sample>& ComparedSamples(const Profile& profile,
                                           CompareBy by);

}  // namespace heapprof
