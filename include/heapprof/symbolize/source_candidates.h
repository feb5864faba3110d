// SPDX-License-Identifier: Apache-2.0
//
// The paths at which a source file may be on this machine.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heapprof/symbolize/module.h"

namespace heapprof {

// Where source files are looked for.
struct SourceSearch {
  std::vector<std::string> folders = {};  // --source-path
  std::vector<PathMapping> path_map = {};
  std::vector<std::string> sysroots = {};
};

// For `path` as the debug information records it, best first: below the folders
// under the whole path or any end of it, longest first; --path-map; --sysroot;
// the path itself.
std::vector<std::string> SourceCandidates(const std::string& path,
                                          const SourceSearch& search);

}  // namespace heapprof
