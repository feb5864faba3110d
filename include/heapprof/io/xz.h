// SPDX-License-Identifier: Apache-2.0
//
// xz in memory, as .gnu_debugdata holds it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heapprof/base/error.h"

namespace heapprof {

// Inflates all streams. Fails if `packed` is damaged or cut off, or inflates
// to more than `max_size` bytes. The error says what is wrong, not where.
Result<std::string> Unxz(std::span<const uint8_t> packed, uint64_t max_size);

}  // namespace heapprof
