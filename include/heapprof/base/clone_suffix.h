// SPDX-License-Identifier: Apache-2.0
//
// What a compiler's cloning or splitting of a function adds to its name.
#pragma once

#include <string_view>

namespace heapprof {

// `name` without such suffixes at its end: ".isra.0", ".part.1",
// ".constprop.2", ".cold", ".hot", ".warm", ".lto_priv.3", ".llvm.123456",
// ".localalias", ".clone.4", ".__uniq.5", and combinations of them. Debug
// information describes a clone under the name of its origin.
std::string_view CutCloneSuffix(std::string_view name);

}  // namespace heapprof
