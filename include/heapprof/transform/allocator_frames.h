// SPDX-License-Identifier: Apache-2.0
//
// Removes the allocator's own frames. They say nothing about who holds memory:
// every stack of a heap dump begins with them, and they differ between
// allocator versions.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Cuts the allocator's frames from the leaf end of every stack:
//  * All frames from the leaf to the kEntry function nearest the root,
//    inclusive. Some of them may have the role kNone: a program's own operator
//    new may call helpers before it calls malloc.
//  * The allocator frames directly rootward of that function, such as Rust's
//    glue around __rust_alloc. kInternal names count only in a binary that
//    contains an allocator, and only if the source file may be an allocator's.
//  * Allocator frames that are rootward of frames of the C library or the
//    loader, and all frames leafward of them. Such stacks occur when the
//    allocator calls this library and the library allocates memory itself.
// A cut may fall between the inlined calls of one location.
//
// A stack without frames gets one, so that the rows of a report add up to the
// total: "[allocator only]" if all of its frames were cut, or "[no stack]" if
// it had none. Uses up to `jobs` threads.
void TrimAllocatorFrames(Profile& profile, unsigned jobs = 1);

// Gives empty stacks the frame "[no stack]". Call this instead of
// TrimAllocatorFrames() to keep allocator frames.
void LabelEmptyStacks(Profile& profile);

}  // namespace heapprof
