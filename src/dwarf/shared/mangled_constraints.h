// SPDX-License-Identifier: Apache-2.0
//
// Recognises linkage names that libiberty cannot demangle.
#pragma once

#include <string_view>

namespace heapprof {

// True if the linkage name at the start of `text` has constraints of C++20, or
// declarations of template parameters, which clang writes since version 18:
//   Q <expression>             a requires-clause
//   Tk, Tt, Tn, Ty, Tp         before a template argument: its declaration
//   TL <level>                 a parameter of an enclosing template
// Such a name may be the reason for naming the function by DW_AT_name. `text`
// may continue after the NUL of the name.
bool HasConstraints(std::string_view text);

}  // namespace heapprof
