// SPDX-License-Identifier: Apache-2.0
//
// The paths at which the file of a mapping may be on this machine.
#pragma once

#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/module_locator.h"

namespace heapprof {

struct BinaryCandidate {
  std::string path;
  // The user gave this file and should be told if it does not fit.
  bool is_named = false;
};

// Returns the candidates for the file of a mapping, best first and without
// duplicates:
//   - files that the user gave: first those at the path of the mapping, then
//     those with its file name. If the mapping is the program, then also files
//     whose names no mapping has
//   - files in folders that the user gave, in the same order
//   - the path of the mapping: below --symbol-path, then changed by --path-map,
//     then below --sysroot, then unchanged
//   - debug files that the user gave, to be used instead of the binary
std::vector<BinaryCandidate> BinaryCandidates(const Profile& profile,
                                              MappingId mapping,
                                              const LocatorOptions& options);

}  // namespace heapprof
