// SPDX-License-Identifier: Apache-2.0
//
// Finds keys that would overflow the stack of a TOML parser. Each dot of a key
// ("a.b.c") makes a table inside a table, and the parser frees nested tables by
// recursion. Only nesting by brackets is limited by the parser itself.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace heapprof {

// Returns the number of the first line with more than `most` dots that are
// neither in a string nor in a comment; nothing if there is none. A key cannot
// continue on the next line.
std::optional<size_t> LineOfManyDots(std::string_view toml, size_t most);

}  // namespace heapprof
