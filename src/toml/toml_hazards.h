// SPDX-License-Identifier: Apache-2.0
//
// Finds text that the TOML parser must not be given:
//   - Keys with many dots. Each dot ("a.b.c") makes a table inside a table, and
//     the parser frees nested tables by recursion, which can overflow the
//     stack. Only nesting by brackets is limited by the parser itself.
//   - Some characters that are not ASCII, where the parser expects white space:
//     outside of strings and comments, where TOML does not allow them, after a
//     backslash, and in a "string" that begins inside a value such as a number.
//     For U+00A1 to U+0499, it runs into code that is declared unreachable.
//   - A header of a table that does not begin with a key, as in "[=". The
//     parser assumes that it does, or asserts it.
//   - A brace instead of a value, as in "[}". The parser assumes that a value
//     follows.
//   - A single digit after a date, as in "2026-11-29 7". The parser takes it
//   for
//     an hour, and assumes that the hour goes on.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace heapprof {

// More than any key of a budgets file has.
inline constexpr size_t kMostTomlDots = 16;

struct TomlHazard {
  size_t line = 0;                 // from 1
  std::string_view expected = {};  // "keys with at most 16 dots"
};

// Returns the first hazard; nothing if there is none.
std::optional<TomlHazard> FindTomlHazard(std::string_view toml);

}  // namespace heapprof
