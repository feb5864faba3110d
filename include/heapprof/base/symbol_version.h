// SPDX-License-Identifier: Apache-2.0
//
// The versions that linkers append to the names of symbols.
#pragma once

#include <string_view>

namespace heapprof {

// Returns `name` without its symbol version, such as the end of
// "foo@@GLIBC_2.2.5". `name` may be demangled. The suffix of "foo@plt" stays,
// because a stub and the function that it calls are different functions; so
// does what is no version, as in the local label "..@4.loop" of an assembler.
std::string_view CutSymbolVersion(std::string_view name);

}  // namespace heapprof
