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

// The candidates for `path`, a path in the debug information, best first: below
// each folder, the whole path or any end of it, the longest first; then the
// path as --path-map changes it; then below each --sysroot; then the path
// itself.
std::vector<std::string> SourceCandidates(const std::string& path,
                                          const SourceSearch& search);

}  // namespace heapprof
