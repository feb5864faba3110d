// SPDX-License-Identifier: Apache-2.0
//
// Recognises functions by name that are certainly not the user's own code. All
// names are in the short form (see ShortName()).
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Converts a component of a name: "CRYPTO_zalloc" to "cryptozalloc".
std::string WithoutUnderscores(std::string_view component);

// True for functions that allocate memory only to return it to their callers:
// xmalloc, PyObject_Malloc, sqlite3DbMallocRaw, llvm::User::operator new.
bool IsAllocationWrapper(std::string_view short_name);

// True if a function may be part of an allocator, by the names of its scopes
// and its own: app::Arena::Grow, ceph::buffer::raw_combined::create.
bool SoundsLikeAllocator(std::string_view short_name);

// True for the C++ standard library and for code that the C library links into
// programs: std::vector::push_back, _start, _IO_file_doallocate.
bool IsStandardLibraryName(std::string_view short_name);

// True for functions of libraries that are often linked statically: boost::,
// absl::, OpenSSL, zstd. `file` is the source file, or empty if it is unknown:
// OpenSSL's names are so general that the file decides.
bool IsThirdPartyName(std::string_view short_name, std::string_view file = {});

// True for functions with which an interpreter runs a program and calls others.
// They are in every stack, whatever the program does: pymain_run_python,
// _PyEval_EvalFrameDefault, Builtins_JSEntry.
bool IsInterpreterCall(std::string_view short_name);

}  // namespace heapprof
