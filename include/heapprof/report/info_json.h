// SPDX-License-Identifier: Apache-2.0
//
// `heapprof info` for scripts. The first two keys, "schema" and
// "schema_version", say how to read the rest: the version increases when a key
// changes its meaning or is removed, not when one is added. The schema is in
// proto/heapprof.schema.json.
#pragma once

#include <string>

#include "heapprof/view/info.h"

namespace heapprof {

inline constexpr int kInfoSchemaVersion = 2;

std::string WriteInfoJson(const Info& info);

}  // namespace heapprof
