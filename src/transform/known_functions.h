// SPDX-License-Identifier: Apache-2.0
//
// Functions whose names alone say that they are nobody's own code. Names are
// in the short form that tables show.
#pragma once

#include <string_view>

namespace heapprof {

// Hands on memory that somebody else asked for: xmalloc, PyObject_Malloc,
// sqlite3DbMallocRaw, llvm::User::operator new.
bool IsAllocationWrapper(std::string_view short_name);

// The standard library of C++, and what the C library links into programs:
// std::vector::push_back, _start, _IO_file_doallocate.
bool IsStandardLibraryName(std::string_view short_name);

// A library that programs are often linked with statically: boost::, absl::,
// OpenSSL, zlib.
bool IsThirdPartyName(std::string_view short_name);

}  // namespace heapprof
