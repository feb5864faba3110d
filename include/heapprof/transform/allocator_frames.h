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
//  * all frames up to the allocator function nearest the root that a program
//    can call (kEntry), including that: a program's own operator new may call
//    helpers first,
//  * the allocator frames that follow directly (Rust's glue around
//    __rust_alloc); kInternal names count only in a binary that contains an
//    allocator, and only if no other source code has them,
//  * if the C library or the loader allocated memory of its own while it ran
//    inside the allocator, all frames up to that outer allocator.
// A cut may fall between the inlined calls of one location. An empty stack gets
// the frame "[allocator only]", or "[no stack]" if it had no address, so that
// the rows of a report add up to the total.
void TrimAllocatorFrames(Profile& profile);

// Gives empty stacks the frame "[no stack]". For use when allocator frames are
// kept.
void LabelEmptyStacks(Profile& profile);

}  // namespace heapprof
