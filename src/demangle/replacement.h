// SPDX-License-Identifier: Apache-2.0
//
// Replaces spellings in names, as whole words.
#pragma once

#include <span>
#include <string_view>

#include "heapprof/base/char_class.h"

namespace heapprof {

struct Replacement {
  std::string_view text;
  std::string_view replacement;
};

// Returns the first of `table` that fits at the start of `rest`, the text that
// follows `before`; null if there is none. If a text of the table is a prefix
// of another one, the longer one must come first.
inline const Replacement* ReplacementAt(std::span<const Replacement> table,
                                        std::string_view before,
                                        std::string_view rest) {
  for (const Replacement& entry : table) {
    const std::string_view text = entry.text;
    if (rest.empty() || rest.front() != text.front() || !rest.starts_with(text))
      continue;
    const bool splits_start =
        !before.empty() && IsWord(before.back()) && IsWord(text.front());
    const bool splits_end = rest.size() > text.size() && IsWord(text.back()) &&
                            IsWord(rest[text.size()]);
    if (!splits_start && !splits_end) return &entry;
  }
  return nullptr;
}

}  // namespace heapprof
