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
  kGlue,      // calls the allocator: Rust's
  kEntry,     // the functions that programs call: malloc, operator new
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
// A cut may fall between the inlined calls of one location. An empty stack gets
// the frame "[allocator only]", or "[no stack]" if it had no address, so that
// the rows of a report add up to the total.
void TrimAllocatorFrames(Profile& profile);

// Gives empty stacks the frame "[no stack]". For use when allocator frames are
// kept.
void LabelEmptyStacks(Profile& profile);

}  // namespace heapprof
