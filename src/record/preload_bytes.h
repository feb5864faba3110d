// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace heapprof {

// Returns the library that is preloaded: see src/record/preload/preload.h.
std::span<const unsigned char> PreloadBytes();

}  // namespace heapprof
