// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace heapprof {

// Stands for "none" where 0 is an index like any other. Tables of a Profile
// have row 0 for that; see id.h.
inline constexpr uint32_t kNoIndex = UINT32_MAX;

}  // namespace heapprof
