// SPDX-License-Identifier: Apache-2.0
//
// Recognises libraries whose sources projects often build into their programs,
// from the folder of a source file and from the namespace of a function.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heapprof {

// True if a function belongs to such a library. `short_name` is in the short
// form (see ShortName()). `path` is that of its source file, below the folders
// that it shares with the program's own; empty if unknown. `own_names` are
// folders and words that are the program's, in lower case: a program that is
// such a library itself is not taken for foreign code.
bool IsOfKnownLibrary(std::string_view short_name, std::string_view path,
                      std::span<const std::string> own_names);

}  // namespace heapprof
