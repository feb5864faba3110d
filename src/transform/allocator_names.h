// SPDX-License-Identifier: Apache-2.0
//
// Recognises functions of allocators by their names.
#pragma once

#include <string_view>

#include "heapprof/transform/allocator_frames.h"

namespace heapprof {

// True for the names of functions that only jemalloc and tcmalloc have, and of
// which at least one is in every stack that they record. A binary with such a
// function contains an allocator.
bool IsAllocatorSignature(std::string_view name);

// True if a function in this source file may belong to an allocator.
bool MayBeAllocatorSource(std::string_view path);

}  // namespace heapprof
