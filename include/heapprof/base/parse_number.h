// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace heapprof {

// Returns the number that `text` consists of. Returns nothing if anything else
// is in it, such as a blank, "+" or "0x", or if `Number` cannot hold it.
template <std::integral Number>
std::optional<Number> ParseNumber(std::string_view text, int base = 10) {
  Number number = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] =
      std::from_chars(text.data(), text_end, number, base);
  if (error != std::errc() || end != text_end) return std::nullopt;
  return number;
}

// Also reads "inf", "nan" and exponents.
template <std::floating_point Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, number);
  if (error != std::errc() || end != text_end) return std::nullopt;
  return number;
}

}  // namespace heapprof
