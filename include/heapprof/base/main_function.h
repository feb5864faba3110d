// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "heapprof/base/clone_suffix.h"

namespace heapprof {

// True for the name of the function at which C and C++ programs start, and for
// a part of it that a compiler split off. That of Rust, app::main, is a
// function like others.
inline bool IsMain(std::string_view name) {
  return CutCloneSuffix(name) == "main";
}

// True for what reports take for the start of a program: main(), Rust's
// app::main() and functions such as mysqld_main(), radosgw_Main() or LLVM's
// optMain(). They say nothing of who holds memory.
inline bool IsStartOfProgram(std::string_view name) {
  return IsMain(name) || name.ends_with("::main") || name.ends_with("_main") ||
         name.ends_with("Main");
}

}  // namespace heapprof
