// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/utc_time.h"

#include <algorithm>

#include <fmt/chrono.h>

namespace heapprof {

std::string UtcTime(int64_t seconds) {
  // A file may have any time; fmt throws if the year does not fit an int.
  constexpr int64_t kFirst = -62'135'596'800;  // of the year 1
  constexpr int64_t kLast = 253'402'300'799;   // of the year 9999
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                     fmt::gmtime(std::clamp(seconds, kFirst, kLast)));
}

}  // namespace heapprof
