// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/limits.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/char_class.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/base/trimmed.h"

namespace heapprof {
namespace {

// A number and the text after it, which should be a unit.
struct Quantity {
  double number = 0;
  std::string_view unit;
};

// Splits "1.5 GB" into the number and the unit. The number consists of digits
// with at most one point between them. Signs, exponents, infinity and NaN are
// refused: the function then returns nothing.
std::optional<Quantity> SplitQuantity(std::string_view text) {
  text = Trimmed(text);
  const size_t end =
      std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view digits = text.substr(0, end);
  if (digits.empty() || !IsDigit(digits.front()) || !IsDigit(digits.back()))
    return std::nullopt;
  const auto number = ParseNumber<double>(digits);
  if (!number) return std::nullopt;
  return Quantity{*number, Trimmed(text.substr(end))};
}

struct SizeUnit {
  std::string_view name;
  double bytes;
};
// A letter alone means what it means to ls, systemd, Docker and Java.
constexpr SizeUnit kUnits[] = {
    {"", 1},         {"B", 1},        {"KiB", 0x1p10}, {"MiB", 0x1p20},
    {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"KB", 1e3},     {"MB", 1e6},
    {"GB", 1e9},     {"TB", 1e12},    {"K", 0x1p10},   {"M", 0x1p20},
    {"G", 0x1p30},   {"T", 0x1p40},   {"k", 0x1p10},   {"m", 0x1p20},
    {"g", 0x1p30},   {"t", 0x1p40}};

// Sizes from here on are refused: they do not fit into int64_t.
constexpr double kTooMuch = 0x1p63;

std::optional<ParsedSize> SizeOf(const Quantity& quantity) {
  const auto unit = std::ranges::find(kUnits, quantity.unit, &SizeUnit::name);
  if (unit == std::end(kUnits)) return std::nullopt;
  const double value = quantity.number * unit->bytes;
  if (value >= kTooMuch) return std::nullopt;
  return ParsedSize{.value = value, .has_unit = !unit->name.empty()};
}

}  // namespace

std::optional<ParsedSize> ParseSize(std::string_view text) {
  const auto quantity = SplitQuantity(text);
  return quantity ? SizeOf(*quantity) : std::nullopt;
}

std::optional<ParsedLimit> ParseLimit(std::string_view text) {
  constexpr double kPercent = 100;
  ParsedLimit parsed;
  bool has_share = false, has_size = false;
  for (size_t plus = 0; plus != text.npos;) {
    plus = text.find('+');
    const auto part = SplitQuantity(text.substr(0, plus));
    if (plus != text.npos) text.remove_prefix(plus + 1);
    if (!part) return std::nullopt;
    const bool is_share = part->unit == "%";
    if (std::exchange(is_share ? has_share : has_size, true))
      return std::nullopt;
    if (is_share) {
      parsed.limit.ratio += part->number / kPercent;
      continue;
    }
    const auto size = SizeOf(*part);
    if (!size) return std::nullopt;
    parsed.limit.bytes = size->value;
    parsed.has_unit = size->has_unit;
  }
  return parsed;
}

std::string WhyUnclear(const ParsedSize& size) {
  if (size.has_unit || size.value == 0) return "";
  return fmt::format("{0}: {1} has no unit; expected {1}MiB or {1}B",
                     size.place, size.value);
}

std::string WhyUnclear(const ParsedLimit& limit) {
  const double bytes = limit.limit.bytes;
  if (limit.has_unit || bytes == 0) return "";
  const bool has_share = limit.limit.ratio != 1;
  return fmt::format("{0}: {1} has no unit; expected {2}{1}MiB or {1}B",
                     limit.place, bytes,
                     has_share ? std::string() : fmt::format("{}%, ", bytes));
}

}  // namespace heapprof
