// SPDX-License-Identifier: Apache-2.0
//
// The suffixes that a compiler adds to the name of a function that it clones or
// splits.
#pragma once

#include <string_view>

namespace heapprof {

// Returns `name` without its clone suffixes, of which it may have several.
// Debug information has no such suffixes, because it describes a clone under
// the name of the original function. Recognises ".isra.0", ".part.1",
// ".constprop.2", ".cold", ".hot", ".warm", ".lto_priv.3", ".llvm.123456",
// ".localalias", ".clone.4", ".__part.5", ".__uniq.6", ".specialized.7" and
// ".memprof.8".
std::string_view CutCloneSuffix(std::string_view name);

}  // namespace heapprof
