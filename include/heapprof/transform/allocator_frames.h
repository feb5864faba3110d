// SPDX-License-Identifier: Apache-2.0
//
// The allocator's own frames say nothing about who holds memory: every stack
// of a heap dump begins with them, and they differ between allocator versions.
#pragma once

#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

// What a frame's name says about it. `name` is a display name as demanglers
// print it.
enum class AllocatorRole : uint8_t {
  kNone,
  kInternal,  // inside an allocator; programs may have such names, too
  kGlue,      // in front of an allocator: Rust's alloc::alloc::exchange_malloc
  kEntry,     // what programs call: malloc, operator new, __rust_alloc
};
AllocatorRole ClassifyAllocatorName(std::string_view name);

// True for the file name of an allocator's shared library.
bool IsAllocatorLibrary(std::string_view path);

// Cuts the allocator's frames from the leaf end of every stack:
//  * up to and including the allocator entry nearest the root, whatever is
//    leafward of it: a program's own operator new may call helpers,
//  * the allocator frames that follow without a gap (Rust's glue around
//    __rust_alloc); internal ones by name only in a binary that has an
//    allocator inside, where the name is not that of other source code,
//  * and, where the allocator was entered again from the C library's or the
//    loader's own code, up to that outer entry.
// A cut may fall between the inlined calls of one location. A stack of which
// nothing is left gets the frame "[allocator only]", one that had no address
// "[no stack]", so that the rows of a report add up to the total.
void TrimAllocatorFrames(Profile& profile);

// Gives stacks without any frame the frame "[no stack]"; for when allocator
// frames are kept.
void LabelEmptyStacks(Profile& profile);

}  // namespace heapprof
