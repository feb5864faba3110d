// SPDX-License-Identifier: Apache-2.0
//
// Debug directories, such as /usr/lib/debug. Below them, a debug file has the
// path of its binary, or BuildIdPath().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/symbolize/module.h"

namespace heapprof {

struct DebugRoot {
  std::string sysroot;  // below which `path` is; empty: none
  std::string path;

  std::string File(std::string_view name) const;
};

// Returns those of the options, then those of the system, also below each
// sysroot.
std::vector<DebugRoot> DebugRoots(const DebugSearch& search);

}  // namespace heapprof
