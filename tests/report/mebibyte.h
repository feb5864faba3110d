// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heapprof {

inline constexpr double kMebibyte = 1 << 20;

}  // namespace heapprof
