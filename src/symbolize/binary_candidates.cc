// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/binary_candidates.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "heapprof/base/base_name.h"
#include "heapprof/base/same_file.h"
#include "heapprof/profile/program.h"
#include "symbolize/paths.h"

namespace heapprof {
namespace {

constexpr std::string_view kDebugExtension = ".debug";

// Returns the file name of `path` without ".debug", because the user may give
// the debug file "prog.debug" instead of the binary "prog".
std::string BinaryName(std::string_view path) {
  std::string name(BaseName(path));
  if (name.size() > kDebugExtension.size() && name.ends_with(kDebugExtension))
    name.resize(name.size() - kDebugExtension.size());
  return name;
}

// Returns the file name of the path of a mapping; of "/memfd:server", "server".
std::string_view MappedName(std::string_view path) {
  constexpr std::string_view kMemoryFile = "/memfd:";
  return path.starts_with(kMemoryFile) ? path.substr(kMemoryFile.size())
                                       : BaseName(path);
}

class Collector {
 public:
  Collector(const Profile& profile, MappingId id)
      : profile_(profile),
        path_(PathOf(profile.mappings[id.index()])),
        is_program_(IsOfProgram(profile, profile.mappings[id.index()])) {}

  void AddFitting(std::span<const std::string> files, bool is_named);
  void AddTails(std::span<const std::string> folders);
  void AddMapped(std::span<const PathMapping> path_map);
  void Add(std::string path, bool is_named = false);

  const std::string& path() const { return path_; }
  std::vector<BinaryCandidate> Take() { return std::move(candidates_); }

 private:
  std::string PathOf(const Mapping& mapping) const {
    return std::string(profile_.String(mapping.filename));
  }
  bool IsNameOfAMapping(std::string_view name) const {
    return std::ranges::any_of(profile_.mappings, [&](const Mapping& mapping) {
      return MappedName(profile_.String(mapping.filename)) == name;
    });
  }

  const Profile& profile_;
  const std::string path_;
  const bool is_program_;
  std::vector<BinaryCandidate> candidates_;
};

void Collector::Add(std::string path, bool is_named) {
  const bool is_known = std::ranges::any_of(
      candidates_,
      [&path](const BinaryCandidate& known) { return known.path == path; });
  if (!is_known) candidates_.push_back({std::move(path), is_named});
}

void Collector::AddFitting(std::span<const std::string> files, bool is_named) {
  std::vector<std::string> by_path, by_name, by_position;
  for (const std::string& file : files) {
    const std::string name = BinaryName(file);
    if (SameFile(file, path_))
      by_path.push_back(file);
    else if (name == MappedName(path_) || BaseName(file) == MappedName(path_))
      by_name.push_back(file);
    else if (is_program_ && (is_named || !IsLibraryName(BaseName(file))) &&
             !IsNameOfAMapping(name) && !IsNameOfAMapping(BaseName(file)))
      by_position.push_back(file);
  }
  for (auto* group : {&by_path, &by_name, &by_position})
    for (std::string& file : *group) Add(std::move(file), is_named);
}

// Adds the path of the mapping and its ends below each folder. For "/a/b/c":
// FOLDER/a/b/c for each folder, then FOLDER/b/c, then FOLDER/c.
void Collector::AddTails(std::span<const std::string> folders) {
  for (size_t at = path_.find('/'); at != path_.npos;
       at = path_.find('/', at + 1))
    for (const std::string& folder : folders)
      Add(Below(folder, std::string_view(path_).substr(at)));
}

void Collector::AddMapped(std::span<const PathMapping> path_map) {
  for (const PathMapping& mapping : path_map)
    if (const auto mapped = mapping.Apply(path_)) Add(*mapped);
}

}  // namespace

std::vector<BinaryCandidate> BinaryCandidates(const Profile& profile,
                                              MappingId mapping,
                                              const LocatorOptions& options) {
  Collector collector(profile, mapping);
  collector.AddFitting(options.binaries, true);
  collector.AddFitting(options.folder_files, false);
  collector.AddTails(options.symbol_path);
  collector.AddMapped(options.debug.path_map);
  for (const std::string& sysroot : options.debug.sysroots)
    collector.Add(ResolveBelow(sysroot, collector.path()));
  collector.Add(collector.path());
  // If the binary is missing, its debug file is used instead.
  collector.AddFitting(options.debug.files, false);
  return collector.Take();
}

}  // namespace heapprof
