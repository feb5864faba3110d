// SPDX-License-Identifier: Apache-2.0
//
// What may follow the name of a function: the suffix of a clone, a symbol
// version, the hash of a Rust symbol.
#pragma once

#include <cstddef>
#include <string_view>

namespace heapprof {

// Returns the length of a demangled name without all of these.
size_t SizeWithoutSuffixes(std::string_view name);

}  // namespace heapprof
