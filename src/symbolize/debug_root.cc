// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debug_root.h"

#include <filesystem>

#include "symbolize/paths.h"

namespace heapprof {
namespace {

// Returns `dir`, or the debug directory in which `dir` is the tree of build
// ids: that tree is where a user sees the files.
std::string DebugDirectory(const std::string& dir) {
  std::filesystem::path path = dir;
  if (!path.has_filename()) path = path.parent_path();
  if (path.filename() != ".build-id") return dir;
  return (path / "..").lexically_normal();
}

}  // namespace

std::string DebugRoot::File(std::string_view name) const {
  const std::string file = Below(path, name);
  return sysroot.empty() ? file : ResolveBelow(sysroot, file);
}

std::vector<DebugRoot> DebugRoots(const DebugSearch& search) {
  constexpr const char* kSystemDebugDir = "/usr/lib/debug";
  std::vector<DebugRoot> roots;
  for (const std::string& dir : search.dirs)
    roots.push_back({"", DebugDirectory(dir)});
  for (const std::string& sysroot : search.sysroots)
    roots.push_back({sysroot, kSystemDebugDir});
  roots.push_back({"", kSystemDebugDir});
  return roots;
}

}  // namespace heapprof
