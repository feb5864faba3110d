// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>

namespace heapprof {

inline constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;
inline constexpr int64_t kNanosecondsPerHour = 3600 * kNanosecondsPerSecond;

inline int64_t Nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * kNanosecondsPerSecond + time.tv_nsec;
}

}  // namespace heapprof
