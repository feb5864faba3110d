// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <fmt/core.h>

namespace heapprof {

// Says which of `count` dumps a report is about: "the last of 4 dumps". See
// HtmlReport for the meaning of `latest` and `at_end`.
inline std::string ShownDumps(size_t count, size_t latest, size_t at_end) {
  if (latest == 0) return fmt::format("the sum of {} dumps", count);
  if (latest > 1) return fmt::format("the last dumps of {} processes", latest);
  if (at_end == 0) return fmt::format("the last of {} dumps", count);
  return fmt::format("dump {} of {}, before the program freed its memory",
                     count - at_end, count);
}

}  // namespace heapprof
