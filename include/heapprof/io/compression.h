// SPDX-License-Identifier: Apache-2.0
//
// The compression of data whose inflated size is known, such as ELF sections.
#pragma once

#include <cstdint>

namespace heapprof {

enum class Compression : uint8_t { kZlib, kZstd };

}  // namespace heapprof
