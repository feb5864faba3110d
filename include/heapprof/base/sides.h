// SPDX-License-Identifier: Apache-2.0
//
// The two sides of a comparison, and whatever exists once for each of them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace heapprof {

enum class Side : uint8_t { kNew, kBase };
inline constexpr std::array kSides = {Side::kNew, Side::kBase};

// One T for each side. Without a comparison, only the new side is used.
template <typename T>
struct Sides {
  T now = {};
  T base = {};

  constexpr T& operator[](Side side) { return side == Side::kNew ? now : base; }
  constexpr const T& operator[](Side side) const {
    return side == Side::kNew ? now : base;
  }

  Sides& operator+=(const Sides& other) {
    now += other.now;
    base += other.base;
    return *this;
  }

  auto operator<=>(const Sides&) const = default;
};

}  // namespace heapprof
