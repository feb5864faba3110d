// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/unloaded_libraries.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace heapprof {
namespace {

// Returns the files of the memory map that share no addresses with another. A
// file that dlmopen() has loaded twice is one mapping, too, with other files
// between its first and its last code.
std::vector<const Mapping*> FilesApart(const Profile& dump) {
  std::vector<const Mapping*> files;
  for (const Mapping& mapping : dump.mappings)
    if (mapping.is_file) files.push_back(&mapping);
  std::ranges::sort(files, {}, &Mapping::start);
  std::vector<const Mapping*> apart;
  uint64_t end = 0;  // of all files before this one
  for (size_t i = 0; i < files.size(); ++i) {
    const bool is_last = i + 1 == files.size();
    if (files[i]->start >= end &&
        (is_last || files[i]->limit <= files[i + 1]->start))
      apart.push_back(files[i]);
    end = std::max(end, files[i]->limit);
  }
  return apart;
}

}  // namespace

void UnloadedLibraries::Learn(const Profile& dump) {
  if (!dump.has_memory_map) return;
  for (const Mapping* const file : FilesApart(dump)) {
    const Mapping& mapping = *file;
    auto at = libraries_.lower_bound(mapping.start);
    if (at != libraries_.begin() &&
        std::prev(at)->second.mapping.limit > mapping.start)
      --at;
    while (at != libraries_.end() && at->first < mapping.limit)
      at = libraries_.erase(at);
    libraries_.emplace_hint(
        at, mapping.start,
        Library{.mapping = mapping,
                .filename = std::string(dump.String(mapping.filename)),
                .build_id = std::string(dump.String(mapping.build_id))});
  }
}

const UnloadedLibraries::Library* UnloadedLibraries::Find(
    uint64_t address) const {
  const auto after = libraries_.upper_bound(address);
  if (after == libraries_.begin()) return nullptr;
  const Library& library = std::prev(after)->second;
  return address < library.mapping.limit ? &library : nullptr;
}

void UnloadedLibraries::Restore(Profile& dump) const {
  if (!dump.has_memory_map) return;
  std::map<const Library*, MappingId> restored;
  for (size_t i = 1; i < dump.locations.size(); ++i) {
    Location& location = dump.locations[i];
    if (!location.mapping.IsNone()) continue;
    const Library* const library =
        Find(CallSiteAddress(location, location.address));
    if (library == nullptr) continue;
    const auto [it, is_new] = restored.try_emplace(library);
    if (is_new) {
      it->second = {static_cast<uint32_t>(dump.mappings.size())};
      Mapping mapping = library->mapping;
      mapping.filename = dump.strings.Intern(library->filename);
      mapping.build_id = dump.strings.Intern(library->build_id);
      mapping.elf_path = {};
      dump.mappings.push_back(mapping);
    }
    location.mapping = it->second;
    location.module_address = location.address - library->mapping.start +
                              library->mapping.file_offset;
  }
}

}  // namespace heapprof
