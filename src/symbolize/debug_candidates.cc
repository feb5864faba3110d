// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "heapprof/base/base_name.h"
#include "heapprof/symbolize/module.h"
#include "symbolize/debug_root.h"
#include "symbolize/paths.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

// Returns BuildIdPath() of a debug file; empty if the id is too short.
std::string DebugPath(std::string_view id) {
  const std::string path = BuildIdPath(id);
  return path.empty() ? "" : path + ".debug";
}

std::string DebugName(const ElfImage& binary, const fs::path& path) {
  return binary.debug_link() ? binary.debug_link()->file_name
                             : path.filename().string() + ".debug";
}

// Adds the paths that depend on the name of the debug file: near the binary,
// and below each debug directory at the path of the binary's folder.
void AddByName(const ElfImage& binary, const DebugSearch& search,
               const std::vector<DebugRoot>& roots,
               std::vector<std::string>& candidates) {
  std::error_code error;
  const fs::path real = fs::canonical(binary.path(), error);
  const fs::path path = error ? fs::path(binary.path()) : real;
  const fs::path folder = path.parent_path();
  const std::string name = DebugName(binary, path);
  candidates.push_back((folder / name).string());
  candidates.push_back((folder / ".debug" / name).string());
  std::vector<std::string> mirrored = {(folder / name).string()};
  if (const fs::path mapped = search.mapped_path; !mapped.empty())
    mirrored.push_back(
        (mapped.parent_path() / DebugName(binary, mapped)).string());
  if (mirrored.front() == mirrored.back()) mirrored.resize(1);
  for (const DebugRoot& root : roots)
    for (const std::string& file : mirrored)
      candidates.push_back(root.File(file));
  for (const std::string& dir : search.dirs)
    candidates.push_back((fs::path(dir) / name).string());
}

}  // namespace

std::vector<std::string> AlternateFileCandidates(const AlternateLink& link,
                                                 const std::string& debug_path,
                                                 const DebugSearch& search) {
  std::error_code error;
  const fs::path real = fs::canonical(debug_path, error);
  const std::string path =
      ((error ? fs::path(debug_path) : real).parent_path() / link.path)
          .lexically_normal()
          .string();
  std::vector<std::string> candidates = {path};
  for (const PathMapping& mapping : search.path_map)
    if (auto mapped = mapping.Apply(path))
      candidates.push_back(std::move(*mapped));
  for (const std::string& sysroot : search.sysroots)
    candidates.push_back(ResolveBelow(sysroot, path));
  const std::string name(BaseName(link.path));
  for (const DebugRoot& root : DebugRoots(search)) {
    candidates.push_back(root.File(DebugPath(link.build_id)));
    candidates.push_back(root.File(".dwz/" + name));
  }
  for (const std::string& dir : search.dirs)
    candidates.push_back(Below(dir, name));
  for (const std::string& cache : search.debuginfod_caches)
    candidates.push_back(
        CachedFile(cache, link.build_id, BuildIdFile::kDebugInfo));
  return candidates;
}

std::vector<std::string> DebugFileCandidates(const ElfImage& binary,
                                             const DebugSearch& search) {
  const std::vector<DebugRoot> roots = DebugRoots(search);
  std::vector<std::string> candidates = search.files;
  std::ranges::copy(search.unstripped, std::back_inserter(candidates));
  const std::string& id = binary.build_id();
  // Without a build id or .gnu_debuglink, nothing could prove that a file
  // belongs to this binary.
  if (!id.empty() || binary.debug_link())
    AddByName(binary, search, roots, candidates);
  if (const std::string path = DebugPath(id); !path.empty())
    for (const DebugRoot& root : roots) candidates.push_back(root.File(path));
  if (!id.empty())
    for (const std::string& cache : search.debuginfod_caches)
      candidates.push_back(CachedFile(cache, id, BuildIdFile::kDebugInfo));
  return candidates;
}

}  // namespace heapprof
