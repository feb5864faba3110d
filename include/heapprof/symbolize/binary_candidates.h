// SPDX-License-Identifier: Apache-2.0
//
// The paths at which the file of a mapping may be on this machine.
#pragma once

#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/module.h"

namespace heapprof {

struct LocatorOptions {
  // ELF files on the command line: binaries and debug files.
  std::vector<std::string> binaries = {};
  // ELF files that were found in folders on the command line.
  std::vector<std::string> folder_files = {};
  // Folders with binaries (--symbol-path). Each is searched for the path of a
  // mapping, "a/b/c", then for its ends, "b/c" and "c".
  std::vector<std::string> symbol_path = {};
  DebugSearch debug = {};
  // Use a file even if its build id or the return addresses do not fit
  // (--force).
  bool force = false;
};

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
