// SPDX-License-Identifier: Apache-2.0
//
// The colours that pictures compute. The page computes its own, by the same
// rules: assets/html/colors.js.
#pragma once

#include <cmath>
#include <string>

#include <fmt/core.h>

namespace heapprof {

struct Rgb {
  double red, green, blue;  // 0 to 255
};

// What has grown, and what has shrunk. Text on them is black.
inline constexpr Rgb kGrownColor = {242, 142, 43};
inline constexpr Rgb kShrunkColor = {88, 141, 201};

inline Rgb Mix(const Rgb& from, const Rgb& to, double share) {
  const auto mix = [share](double a, double b) { return a + share * (b - a); };
  return {mix(from.red, to.red), mix(from.green, to.green),
          mix(from.blue, to.blue)};
}

// Returns "#f28e2b".
inline std::string HexColor(const Rgb& color) {
  const auto byte = [](double part) {
    return static_cast<unsigned>(std::lround(part));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.red), byte(color.green),
                     byte(color.blue));
}

}  // namespace heapprof
