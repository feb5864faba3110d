// SPDX-License-Identifier: Apache-2.0
//
// A typed 32-bit index into one table of a Profile. Index 0 of every table
// means "none", as in pprof's wire format.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace heapprof {

template <typename Tag>
struct Id {
  uint32_t value = 0;

  constexpr bool IsNone() const { return value == 0; }
  constexpr size_t index() const { return value; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace heapprof

template <typename Tag>
struct std::hash<heapprof::Id<Tag>> {
  size_t operator()(heapprof::Id<Tag> id) const noexcept {
    return std::hash<uint32_t>{}(id.value);
  }
};
