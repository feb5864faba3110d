// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace heapprof {

// Formats a time for people: "2026-11-23 04:25:41 UTC". `seconds` are those
// since 1970. A time before the year 1 or after the year 9999, which a damaged
// file system may give, becomes the first or last second of these years.
std::string UtcTime(int64_t seconds);

}  // namespace heapprof
