// SPDX-License-Identifier: Apache-2.0
//
// src/report/assets/shared/format.js does the same on the page;
// tests/assets/agreement/numbers.mjs compares them.
#include "heapprof/view/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "heapprof/profile/sampling_period.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

constexpr double kPowersOfTen[] = {1, 10, 100};

// Rounds `value` to `decimals` decimals. Returns 0 rather than -0.
double Rounded(double value, int decimals) {
  const double scale = kPowersOfTen[decimals];
  return std::round(value * scale) / scale + 0.0;
}

// Does what Fixed() does, in a fraction of the time, unless the number is large
// or so close to the middle of two results that the scaling may have moved it.
std::optional<std::string> FixedByInteger(double value, int decimals) {
  constexpr double kTooLarge = 1 << 30;
  constexpr double kTooClose = 1e-5;
  const double scaled = std::abs(value) * kPowersOfTen[decimals];
  if (!(scaled < kTooLarge)) return std::nullopt;  // also if it is NaN
  auto rounded = static_cast<uint32_t>(scaled);
  const double fraction = scaled - rounded;
  if (std::abs(fraction - 0.5) < kTooClose) return std::nullopt;
  if (fraction > 0.5) ++rounded;
  std::array<char, 16> text;
  char* const end = text.data() + text.size();
  char* start = end;
  const auto add_digit = [&] {
    *--start = static_cast<char>('0' + rounded % 10);
    rounded /= 10;
  };
  for (int i = 0; i < decimals; ++i) add_digit();
  if (decimals > 0) *--start = '.';
  do add_digit();
  while (rounded > 0);
  if (std::signbit(value)) *--start = '-';
  return std::string(start, end);
}

// Returns what "%.*f" prints. fmt does this several times more slowly, which
// would be most of the time for a long table.
std::string Fixed(double value, int decimals) {
  if (auto text = FixedByInteger(value, decimals)) return *std::move(text);
  constexpr size_t kLongest = 330;  // the largest double, and two decimals
  char text[kLongest];
  const auto end = std::to_chars(text, text + kLongest, value,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  return {text, end};
}

struct BinaryUnit {
  std::string_view name;
  double size;
  int decimals;
};

// Returns the size and the decimals of a unit that has decimals.
std::optional<BinaryUnit> FixedUnit(Unit unit) {
  switch (unit) {
    case Unit::kBytes:
    case Unit::kObjects:
      return std::nullopt;
    case Unit::kKibibytes:
      return BinaryUnit{"KiB", 0x1p10, 1};
    case Unit::kMegabytes:
    case Unit::kMebibytes:
      return BinaryUnit{"MiB", 0x1p20, 1};
    case Unit::kGibibytes:
      return BinaryUnit{"GiB", 0x1p30, 2};
  }
  return std::nullopt;
}

// Returns the smallest unit in which `bytes` is printed as less than 1024; PiB
// if there is none.
const BinaryUnit& BinaryUnitOf(double bytes) {
  static constexpr BinaryUnit kUnits[] = {
      {"B", 1, 0},        {"KiB", 0x1p10, 1}, {"MiB", 0x1p20, 1},
      {"GiB", 0x1p30, 2}, {"TiB", 0x1p40, 2}, {"PiB", 0x1p50, 2}};
  const BinaryUnit* unit = std::begin(kUnits);
  // A value that would be printed as 1024 is 1 of the next unit.
  while (std::abs(Rounded(bytes / unit->size, unit->decimals)) >= 1024 &&
         unit + 1 != std::end(kUnits))
    ++unit;
  return *unit;
}

// The error of a value: the distance to the farther bound of its interval. It
// is symmetrical if the distances to both bounds are similar, so that one
// number describes both.
struct Error {
  double size;
  bool is_symmetrical;
};

Error ErrorOf(double value, const Interval& interval) {
  constexpr double kAlmostEqual = 1.5;
  const double below = value - interval.lower;
  const double above = interval.upper - value;
  const double size = std::max(below, above);
  return {size, size <= kAlmostEqual * std::min(below, above)};
}

// Returns " ± 1.2"; nothing if the error is too small to show.
std::string PlusMinus(double error, const BinaryUnit& unit) {
  const double shown = Rounded(error / unit.size, unit.decimals);
  return shown < 1 / kPowersOfTen[unit.decimals]
             ? ""
             : fmt::format(" ± {:.{}f}", shown, unit.decimals);
}

std::string WithError(double bytes, double error, const BinaryUnit& unit) {
  const double shown = Rounded(WholeValue(bytes) / unit.size, unit.decimals);
  return fmt::format("{:.{}f}{} {}", shown, unit.decimals,
                     PlusMinus(error, unit), unit.name);
}

}  // namespace

std::string FormatBytes(double bytes) {
  const double whole = WholeValue(bytes);
  const BinaryUnit& unit = BinaryUnitOf(whole);
  std::string text =
      Fixed(Rounded(whole / unit.size, unit.decimals), unit.decimals);
  text += ' ';
  text += unit.name;
  return text;
}

std::string FormatWithError(double bytes, double error) {
  return WithError(bytes, error, BinaryUnitOf(WholeValue(bytes)));
}

std::string FormatChange(double exact, const Interval& interval) {
  const double bytes = WholeValue(exact);
  const bool has_error = interval.lower != interval.upper;
  const auto [lower, upper] =
      has_error ? RoundedOutwards(interval) : Interval{bytes, bytes};
  const BinaryUnit& unit = BinaryUnitOf(
      std::max({std::abs(bytes), std::abs(lower), std::abs(upper)}));
  const auto number = [&unit](double value) {
    const double shown = Rounded(value / unit.size, unit.decimals);
    return fmt::format("{}{:.{}f}", shown > 0 ? "+" : "", shown, unit.decimals);
  };
  if (!has_error) return fmt::format("{} {}", number(bytes), unit.name);
  const double error = std::max(upper - bytes, bytes - lower);
  if (!interval.Contains(0) && error >= std::abs(bytes))
    return fmt::format("{} ({} to {}) {}", number(bytes), number(lower),
                       number(upper), unit.name);
  return fmt::format("{}{} {}", number(bytes), PlusMinus(error, unit),
                     unit.name);
}

std::string FormatSize(uint64_t bytes) {
  std::string text = FormatBytes(static_cast<double>(bytes));
  for (const std::string_view zeros : {".00 ", ".0 "})
    if (const size_t at = text.find(zeros); at != text.npos)
      text.replace(at, zeros.size(), " ");
  return text;
}

std::string FormatSampling(uint64_t period) {
  return SamplesEverything(period) ? "every allocation sampled"
                                   : "a sample per " + FormatSize(period);
}

std::string FormatFixed(double value, int decimals) {
  std::string number = Fixed(value, decimals);
  const bool is_zero = number.find_first_not_of("-0.") == number.npos;
  if (is_zero && number.starts_with('-')) number.erase(0, 1);
  return number;
}

Unit TableUnit(double total) {
  // Of 10 GiB, the smallest part with two decimals is a thousandth.
  constexpr double kLarge = 10 * 0x1p30;
  const double size = std::abs(total);
  if (size < 0x1p20) return Unit::kKibibytes;
  return size < kLarge ? Unit::kMebibytes : Unit::kGibibytes;
}

std::string FormatValue(double value, Unit unit) {
  const auto fixed = FixedUnit(unit);
  if (!fixed) return Fixed(WholeValue(value), 0);
  const double size = value / fixed->size;
  // jeprof rounds 2.25 to 2.2, as printf() does.
  return FormatFixed(
      unit == Unit::kMegabytes ? size : Rounded(size, fixed->decimals),
      fixed->decimals);
}

std::string_view UnitName(Unit unit) {
  switch (unit) {
    case Unit::kMegabytes:
      return "MB";
    case Unit::kBytes:
      return "B";
    case Unit::kObjects:
      return "objects";
    case Unit::kKibibytes:
    case Unit::kMebibytes:
    case Unit::kGibibytes:
      return FixedUnit(unit)->name;
  }
  return "";
}

std::string FormatPercent(double percent) {
  return FormatFixed(percent, 1) + "%";
}

std::string FormatCell(double value, Unit unit) {
  if (WholeValue(value) == 0) return "0";
  if (unit == Unit::kMegabytes) return FormatBytes(value);
  std::string number = FormatValue(value, unit);
  if (unit == Unit::kObjects) return number;
  number += ' ';
  return number += UnitName(unit);
}

std::string_view PlusOf(double change) {
  return WholeValue(change) > 0 ? "+" : "";
}

std::string FormatAmount(double value, Unit unit) {
  const std::string cell = FormatCell(value, unit);
  if (unit == Unit::kObjects)
    return fmt::format("{} object{}", cell, cell == "1" ? "" : "s");
  return cell == "0" ? "0 B" : cell;
}

std::string FormatWithInterval(double exact, const Interval& exact_interval,
                               Unit unit) {
  if (exact_interval.lower == exact_interval.upper)
    return FormatAmount(exact, unit);
  const double value = WholeValue(exact);
  const Interval interval = RoundedOutwards(exact_interval);
  const Error error = ErrorOf(value, interval);
  if (!error.is_symmetrical)
    return fmt::format("{} ({} to {})", FormatAmount(value, unit),
                       FormatAmount(interval.lower, unit),
                       FormatAmount(interval.upper, unit));
  if (unit == Unit::kMegabytes) return FormatWithError(value, error.size);
  if (const auto fixed = FixedUnit(unit))
    return WithError(value, error.size, *fixed);
  return fmt::format("{} ± {} {}", FormatValue(value, unit),
                     FormatValue(error.size, unit), UnitName(unit));
}

std::string FormatError(double value, const Interval& exact, Unit unit) {
  const Interval interval = RoundedOutwards(exact);
  const Error error = ErrorOf(WholeValue(value), interval);
  const std::string lower = FormatValue(interval.lower, unit);
  const std::string upper = FormatValue(interval.upper, unit);
  if (!error.is_symmetrical && lower != upper)
    return fmt::format("{}..{}", lower, upper);
  const std::string size = FormatValue(error.size, unit);
  if (size == "0.0") return "±<0.1";
  return size == "0.00" ? "±<0.01" : "±" + size;
}

std::string FormatShare(double percent) {
  const double size = std::abs(percent);
  if (size == 0) return "0%";
  if (size < 0.005) return "<0.01%";
  if (size < 0.995) return Fixed(percent, 2) + '%';
  // The second condition makes values near 100 % appear as "100%", not
  // "100.0%".
  if (size >= 999.5 || (size >= 99.95 && size < 100.05))
    return Fixed(percent, 0) + '%';
  return Fixed(percent, 1) + '%';
}

double Percent(double part, double whole) {
  if (whole == 0) return 0;
  // The formula makes some of these 100.00000000000001.
  return part == whole ? 100 : 100.0 * part / whole;
}

}  // namespace heapprof
