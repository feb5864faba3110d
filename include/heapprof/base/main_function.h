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

}  // namespace heapprof
