// SPDX-License-Identifier: Apache-2.0
//
// `heapprof info` for scripts. The first two keys, "schema" and
// "schema_version", say how to read the rest: the version grows when a key
// changes its meaning or goes away, not when one is added. What is not known is
// null, shares are fractions between 0 and 1, values are bytes or objects.
#pragma once

#include <string>

#include "heapprof/view/info.h"

namespace heapprof {

inline constexpr int kInfoSchemaVersion = 1;

// UTF-8; bytes that are none become U+FFFD.
std::string WriteInfoJson(const Info& info);

}  // namespace heapprof
