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
  // The user named this very file, and should hear if it does not fit.
  bool is_named = false;
};

// Best first, each path once: files that the user named (of the same path, else
// of the same base name; for the program itself also those that no mapping has
// the name of), files of folders that the user named, --symbol-path,
// --path-map, --sysroot, the path in the memory map.
std::vector<BinaryCandidate> BinaryCandidates(const Profile& profile,
                                              MappingId mapping,
                                              const LocatorOptions& options);

}  // namespace heapprof
