// SPDX-License-Identifier: Apache-2.0
#include "heapprof/parse/mapping_assigner.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "heapprof/base/recorder_library.h"
#include "heapprof/profile/mapping_names.h"
#include "heapprof/profile/program.h"
#include "heapprof/profile/unloaded_libraries.h"

namespace heapprof {
namespace {

// Identifies the file of an entry of the memory map by path, device and inode.
// The path alone is not enough: a file may be replaced by a new file with the
// same path, and the process may have loaded both.
using FileKey = std::tuple<std::string_view, std::string_view, uint64_t>;

FileKey KeyOf(const MapEntry& entry) {
  return {entry.path, entry.device, entry.inode};
}

// What AssignMappings() sets in the locations that are in one entry of the
// memory map.
struct Place {
  MappingId mapping = {};
  // If true, the module addresses of the locations are file offsets. If false,
  // they are runtime addresses.
  bool is_stable = false;
};

// Returns the entry with the first code of the program; null if no file has
// code.
const MapEntry* ProgramEntry(const MemoryMap& map) {
  std::vector<std::string_view> paths;
  for (const MapEntry& entry : map.entries())
    paths.push_back(entry.executable && entry.IsFile() ? entry.path
                                                       : std::string_view());
  const auto program = FindProgram(paths);
  return program ? &map.entries()[*program] : nullptr;
}

// Makes the mappings of a profile, one for each file.
class MappingsByFile {
 public:
  explicit MappingsByFile(ProfileBuilder& builder) : builder_(builder) {}

  MappingId Get(const MapEntry& entry) {
    auto [it, added] = by_file_.try_emplace(KeyOf(entry));
    if (added) it->second = Add(entry);
    return it->second;
  }

 private:
  MappingId Add(const MapEntry& entry) {
    const std::string_view name = entry.path.empty()
                                      ? kAnonymousMapping
                                      : WithoutRecorderFolder(entry.path);
    return builder_.AddMapping(
        {.start = entry.start,
         .file_offset = entry.file_offset,
         .filename = builder_.InternString(name),
         .build_id = builder_.InternString(entry.build_id),
         .is_file = entry.IsFile(),
         .deleted = entry.deleted});
  }

  ProfileBuilder& builder_;
  std::map<FileKey, MappingId> by_file_;
};

}  // namespace

void AssignMappings(const MemoryMap& map, ProfileBuilder& builder) {
  Profile& profile = builder.profile();
  profile.has_memory_map = true;
  profile.thread_stacks.now = map.CountThreadStacks();
  MappingsByFile mappings(builder);
  if (const MapEntry* const program = ProgramEntry(map)) {
    mappings.Get(*program);
    if (profile.main_binary.IsNone())
      profile.main_binary = builder.InternString(program->path);
  }
  std::vector<Place> places;  // by index of the map's entry
  for (const MapEntry& entry : map.entries()) {
    Place& place = places.emplace_back();
    if (!entry.executable) continue;
    place.mapping = mappings.Get(entry);
    Mapping& mapping = profile.mappings[place.mapping.index()];
    mapping.limit = std::max(mapping.limit, entry.limit);
    // For memory that is neither a file nor a special region such as "[vdso]",
    // there are only runtime addresses, which differ between processes.
    const bool anonymous = entry.path.empty() || entry.path[0] == '/';
    place.is_stable = entry.IsFile() || !anonymous;
  }

  for (size_t i = 1; i < profile.locations.size(); ++i) {
    Location& location = profile.locations[i];
    // A call may be the last instruction of a mapping. The return address is
    // then outside the mapping, so look up the address of the call.
    const MapEntry* entry =
        map.Find(CallSiteAddress(location, location.address));
    if (entry == nullptr || !entry->executable) continue;
    const Place& place =
        places[static_cast<size_t>(entry - map.entries().data())];
    location.mapping = place.mapping;
    if (place.is_stable)
      location.module_address =
          location.address - entry->start + entry->file_offset;
  }
}

void AssignUnloaded(const MemoryMap& earlier, Profile& profile) {
  ProfileBuilder mappings;
  AssignMappings(earlier, mappings);
  UnloadedLibraries libraries;
  libraries.Learn(mappings.profile());
  libraries.Restore(profile);
}

}  // namespace heapprof
