// SPDX-License-Identifier: Apache-2.0
//
// Groups in TOML, as users write them:
//
//   [[groups]]
//   name = "RocksDB"
//   function = '^rocksdb::'     # or a list: ['^rocksdb::', '^rocksdb_']
//   module = '/librocksdb'
//
//   [[groups]]
//   name = "compaction"
//   function = 'BackgroundCompaction'
//   from = "root"
//
// A group needs a name and at least one of function, file, module and own. Two
// tables with one name are one group.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/transform/groups.h"

namespace heapprof {

// Parses the text of a file. `path` is only for messages. Errors are of kind
// kUsage and name the file, the line, the key and what was expected.
Result<std::vector<Group>> ParseGroups(std::string_view text,
                                       const std::string& path);

// Returns what is wrong with the name of a group: "a name without ..."; empty
// if nothing is. A name may not contain what would be taken for a part of a
// function's name, or would end a frame of a folded stack.
std::string_view ExpectedGroupName(std::string_view name);

}  // namespace heapprof
