// SPDX-License-Identifier: Apache-2.0
//
// Colours of rows on terminals: large values stand out.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Escape sequences for terminals (ECMA-48, SGR).
inline constexpr std::string_view kStrong = "\x1b[1m";
inline constexpr std::string_view kStrongRed = "\x1b[1;31m";
inline constexpr std::string_view kStrongCyan = "\x1b[1;36m";
inline constexpr std::string_view kFaint = "\x1b[2m";
inline constexpr std::string_view kPlain = "\x1b[0m";

// Rows with at least this share, in percent, are highlighted.
inline constexpr double kMuch = 5;

// Appends `line` and a newline. `style` is one of the escape sequences above,
// or empty for plain text.
inline void AppendStyled(std::string_view line, std::string_view style,
                         std::string& out) {
  out += style;
  out += line;
  if (!style.empty()) out += kPlain;
  out += '\n';
}

}  // namespace heapprof
