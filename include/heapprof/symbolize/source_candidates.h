// SPDX-License-Identifier: Apache-2.0
//
// The paths at which a source file may be on this machine.
#pragma once

#include <span>
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

// Returns the paths at which the source file may be whose path in the debug
// information is `path`. Best first: below each folder, the whole path and then
// ever shorter ends of it; the path as --path-map changes it; the path below
// each --sysroot; the path itself.
std::vector<std::string> SourceCandidates(const std::string& path,
                                          const SourceSearch& search);

}  // namespace heapprof
