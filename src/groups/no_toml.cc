// SPDX-License-Identifier: Apache-2.0
//
// In place of parse_groups.cc, for a build without toml++.
#include <fmt/core.h>

#include "heapprof/base/built_without.h"
#include "heapprof/groups/groups_file.h"

namespace heapprof {

Result<std::vector<Group>> ParseGroups(std::string_view /*text*/,
                                       const std::string& path) {
  return Fail(ErrorKind::kUsage,
              fmt::format("{}: groups cannot be read, because {}", path,
                          BuiltWithout("toml++", "HEAPPROF_TOML")));
}

}  // namespace heapprof
