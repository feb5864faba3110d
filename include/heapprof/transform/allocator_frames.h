// SPDX-License-Identifier: Apache-2.0
//
// Removes the allocator's own frames. They say nothing about who holds memory:
// every stack of a heap dump begins with them, and they differ between
// allocator versions.
#pragma once

#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

// The role of a frame, judged by its demangled name.
enum class AllocatorRole : uint8_t {
  kNone,
  kInternal,  // inside an allocator; programs may use such names, too
  kGlue,      // Rust's functions between collections and the allocator
  kEntry,     // the functions that programs call: malloc, operator new
};
AllocatorRole ClassifyAllocatorName(std::string_view name);

// True for the file name of an allocator's shared library.
bool IsAllocatorLibrary(std::string_view path);

// Cuts the allocator's frames from the leaf end of every stack:
//  * All frames up to and including the kEntry function nearest the root, even
//    if some have no role: a program's own operator new may call helpers before
//    it calls malloc.
//  * The allocator's frames that follow directly, such as Rust's glue around
//    __rust_alloc. kInternal names count only in a binary that contains an
//    allocator, and only if the source file may be an allocator's.
//  * The C library or the loader may allocate memory of its own when the
//    allocator calls it. The stack then has further allocator frames rootward
//    of the library's frames. All frames up to these are cut, too.
// A cut may fall between the inlined calls of one location.
//
// So that the rows of a report add up to the total, an empty stack gets a
// frame: "[allocator only]" if all of its frames were cut, or "[no stack]" if
// it had none.
void TrimAllocatorFrames(Profile& profile);

// Gives empty stacks the frame "[no stack]". Call this instead of
// TrimAllocatorFrames() to keep allocator frames.
void LabelEmptyStacks(Profile& profile);

}  // namespace heapprof
