// SPDX-License-Identifier: Apache-2.0
//
// Tells source files from other files by their names. A hostile profile or
// binary may name any file as the source of a function, such as a private key,
// and reports contain the lines of sources.
#pragma once

#include <string_view>

namespace heapprof {

// True if the extension of `path` is one of a programming language, or if the
// file is a C++ header without extension in a folder "include" of the system.
bool HasSourceName(std::string_view path);

}  // namespace heapprof
