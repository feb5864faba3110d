// SPDX-License-Identifier: Apache-2.0
//
// Functions of allocators, by their names.
#pragma once

#include <string_view>

#include "heapprof/transform/allocator_frames.h"

namespace heapprof {

// True for names that only jemalloc's and tcmalloc's own code has, and that
// are on every stack that they record: a binary with such a function has the
// allocator inside.
bool IsAllocatorSignature(std::string_view name);

// True if a function in this source file may be an allocator's.
bool MayBeAllocatorSource(std::string_view path);

}  // namespace heapprof
