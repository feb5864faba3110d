// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debug_root.h"

#include "symbolize/paths.h"

namespace heapprof {

std::string DebugRoot::File(std::string_view name) const {
  const std::string file = Below(path, name);
  return sysroot.empty() ? file : ResolveBelow(sysroot, file);
}

std::vector<DebugRoot> DebugRoots(const DebugSearch& search) {
  constexpr const char* kSystemDebugDir = "/usr/lib/debug";
  std::vector<DebugRoot> roots;
  for (const std::string& dir : search.dirs) roots.push_back({"", dir});
  for (const std::string& sysroot : search.sysroots)
    roots.push_back({sysroot, kSystemDebugDir});
  roots.push_back({"", kSystemDebugDir});
  return roots;
}

}  // namespace heapprof
