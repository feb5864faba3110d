// SPDX-License-Identifier: Apache-2.0
//
// What the user probably meant by a word that is unknown.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heapprof {

// Returns the least number of insertions, deletions, substitutions and swaps of
// neighbours that turn `a` into `b` (optimal string alignment).
size_t EditDistance(std::string_view a, std::string_view b);

// Returns the one of `known` that is most similar to `word`; nothing if none is
// similar. Prefers one that begins with `word`.
std::optional<std::string> NearestWord(std::string_view word,
                                       std::span<const std::string> known);

}  // namespace heapprof
