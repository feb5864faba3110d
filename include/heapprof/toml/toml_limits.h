// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace heapprof {

// The largest size in bytes of a file in TOML that users write.
inline constexpr size_t kLargestToml = size_t{1} << 20;

}  // namespace heapprof
