// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace heapprof {

// Formats a time for people: "2026-11-23 04:25:41 UTC". `seconds` are those
// since 1970.
std::string UtcTime(int64_t seconds);

}  // namespace heapprof
