// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/transform/groups.h"

namespace heapprof {

// Reads the groups that the values of --groups name, in their order: files and
// lists of built-in groups.
Result<std::vector<Group>> ReadGroups(const std::vector<std::string>& sources);

}  // namespace heapprof
