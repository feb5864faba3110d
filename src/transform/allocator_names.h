// SPDX-License-Identifier: Apache-2.0
//
// Recognises functions of allocators by their names.
#pragma once

#include <cstdint>
#include <string_view>

namespace heapprof {

// The role of a frame, judged by its demangled name.
enum class AllocatorRole : uint8_t {
  kNone,
  kInternal,  // inside an allocator; programs may use such names, too
  kGlue,      // Rust's functions between collections and the allocator
  kEntry,     // the functions that programs call: malloc, operator new
};
AllocatorRole ClassifyAllocatorName(std::string_view name);

// False if a function with this linkage name is certainly no allocator's, which
// is faster to find out than the role of its long demangled name. Of the
// functions in C++ namespaces and classes, only tcmalloc's have a role.
bool MayBeAllocatorSymbol(std::string_view mangled);

// True for the file name of an allocator's shared library.
bool IsAllocatorLibrary(std::string_view path);

// True for the names of functions that only jemalloc and tcmalloc have, and of
// which at least one is in every stack that they record. A binary with such a
// function contains an allocator.
bool IsAllocatorSignature(std::string_view name);

// True if a function in this source file may belong to an allocator.
bool MayBeAllocatorSource(std::string_view path);

}  // namespace heapprof
