// SPDX-License-Identifier: Apache-2.0
//
// `heapprof info` for scripts. The first two keys, "schema" and
// "schema_version", say how to read the rest: the version increases when a key
// changes its meaning or is removed, not when one is added. Unknown values are
// null, shares are fractions between 0 and 1, values are bytes or objects.
#pragma once

#include <string>

#include "heapprof/view/info.h"

namespace heapprof {

inline constexpr int kInfoSchemaVersion = 1;

// Returns UTF-8; invalid bytes become U+FFFD.
std::string WriteInfoJson(const Info& info);

}  // namespace heapprof
