// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/program.h"

#include <algorithm>

#include "heapprof/base/base_name.h"

namespace heapprof {

std::optional<size_t> FindProgram(std::span<const std::string_view> paths) {
  std::optional<size_t> first;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    if (!IsLibraryName(BaseName(paths[i]))) return i;
    if (!first) first = i;
  }
  return first;
}

bool IsOfProgram(const Profile& profile, const Mapping& mapping) {
  if (mapping.filename.IsNone()) return false;
  return mapping.filename == profile.main_binary ||
         std::ranges::find(profile.other_programs, mapping.filename) !=
             profile.other_programs.end();
}

MappingId FirstProgramMapping(const Profile& profile) {
  for (uint32_t i = 1; i < profile.mappings.size(); ++i)
    if (IsOfProgram(profile, profile.mappings[i])) return {i};
  return {};
}

}  // namespace heapprof
