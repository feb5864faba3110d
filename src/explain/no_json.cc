// SPDX-License-Identifier: Apache-2.0
//
// In place of stats_json.cc, for a build without nlohmann-json.
#include <fmt/core.h>

#include "explain/stats_fields.h"
#include "heapprof/base/built_without.h"

namespace heapprof {

Result<AllocatorStats> ParseStatsJson(std::string_view /*bytes*/,
                                      const std::string& name) {
  return Fail(
      ErrorKind::kBadFormat,
      fmt::format("{}: JSON cannot be read, because {}; the text that "
                  "malloc_stats_print() writes without \"J\" can",
                  name, BuiltWithout("nlohmann-json", "HEAPPROF_JSON")));
}

}  // namespace heapprof
