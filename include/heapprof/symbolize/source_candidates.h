// SPDX-License-Identifier: Apache-2.0
//
// The paths at which a source file may be on this machine.
#pragma once

#include <string>
#include <vector>

#include "heapprof/symbolize/module.h"

namespace heapprof {

// Where source files are searched.
struct SourceSearch {
  std::vector<std::string> folders = {};  // --source-path
  std::vector<PathMapping> path_map = {};
  std::vector<std::string> sysroots = {};
};

// Returns the paths at which a source file may be, best first. `path` is the
// path of the source file in the debug information. The results are:
//   - `path` below each folder, then ever shorter ends of it
//   - `path` as --path-map changes it
//   - `path` below each --sysroot
//   - `path` itself
std::vector<std::string> SourceCandidates(const std::string& path,
                                          const SourceSearch& search);

}  // namespace heapprof
