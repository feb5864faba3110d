// SPDX-License-Identifier: Apache-2.0
//
// Groups for libraries that many programs use, and one for the user's own code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/transform/groups.h"

namespace heapprof {

inline bool NamesBuiltInGroups(std::string_view text) {
  return text.starts_with('@');
}

// Returns the groups of a list such as "@rocksdb,@own", or of "@all". An
// unknown name is an error of kind kUsage.
Result<std::vector<Group>> BuiltInGroups(std::string_view names);

struct FoundGroup {
  std::string name;       // empty: none
  std::string_view toml;  // its [[groups]]
};
// Returns the first group that matches a function or a binary.
Result<FoundGroup> FindBuiltInGroup(std::string_view function,
                                    std::string_view module);

// Returns all of them as a file for ParseGroups(), with their names as
// comments.
std::string BuiltInGroupsFile();

}  // namespace heapprof
