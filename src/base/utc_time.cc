// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/utc_time.h"

#include <fmt/chrono.h>

namespace heapprof {

std::string UtcTime(int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(seconds));
}

}  // namespace heapprof
