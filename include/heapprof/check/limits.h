// SPDX-License-Identifier: Apache-2.0
//
// Reads the limits of `heapprof check`, and sizes such as that of --cache-size.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heapprof/stats/growth.h"

namespace heapprof {

struct ParsedSize {
  double value = 0;
  bool has_unit = false;  // without a unit, it may be a number of objects
  // For messages: where it was given, "--max-new" or "b.toml:1: max_new".
  std::string place = {};
};

// Reads a decimal number, with or without a unit: "512MiB", "1.5 GB", "0". The
// units are B, KiB, MiB, GiB, TiB or K, M, G, T in either case (powers of
// 1024), and KB, MB, GB, TB (powers of 1000).
std::optional<ParsedSize> ParseSize(std::string_view text);

struct ParsedLimit {
  GrowthLimit limit;
  bool has_unit = false;   // of the size in it
  std::string place = {};  // like ParsedSize::place
};

// Reads a limit on growth: a share of the base, a size, or their sum, such as
// "10 %", "0" and "5% + 8MiB".
std::optional<ParsedLimit> ParseLimit(std::string_view text);

// Returns why a limit on bytes is refused: its number has no unit, so it could
// be meant as bytes, megabytes or per cent. Empty for 0 or if there is a unit.
std::string WhyUnclear(const ParsedSize& size);
std::string WhyUnclear(const ParsedLimit& limit);

inline constexpr std::string_view kExpectedSize =
    "a size such as 512MiB or 4GiB";
inline constexpr std::string_view kExpectedLimit =
    "a limit such as '5% + 8MiB', '5%' or '8MiB'";

}  // namespace heapprof
