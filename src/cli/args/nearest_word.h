// SPDX-License-Identifier: Apache-2.0
//
// What the user probably meant by a word that is unknown.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heapprof {

// Returns the one of `known` that is most similar to `word`; nothing if none is
// similar. Prefers one that begins with `word`.
std::optional<std::string> NearestWord(std::string_view word,
                                       std::span<const std::string> known);

}  // namespace heapprof
