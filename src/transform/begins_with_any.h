// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace heapprof {

inline bool BeginsWithAny(std::string_view name,
                          std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [name](std::string_view prefix) {
    return name.starts_with(prefix);
  });
}

}  // namespace heapprof
