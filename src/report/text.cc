// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

// Escape sequences of terminals (ECMA-48, SGR).
constexpr std::string_view kStrong = "\x1b[1m";
constexpr std::string_view kStrongRed = "\x1b[1;31m";
constexpr std::string_view kFaint = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

// From this share on a row is one to look at.
constexpr double kMuch = 5;

std::string_view StyleOf(const FlatRow& row) {
  if (std::abs(row.flat_percent) >= kMuch) return kStrongRed;
  if (std::abs(row.cumulative_percent) >= kMuch) return kStrong;
  return row.flat.value == 0 ? kFaint : std::string_view();
}

// The first characters of UTF-8 text, and a sign that there were more.
std::string CutTo(std::string_view text, size_t characters) {
  const auto is_first_byte = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  };
  if (std::ranges::count_if(text, is_first_byte) <=
      static_cast<ptrdiff_t>(characters))
    return std::string(text);
  size_t kept = 0;
  size_t at = 0;
  for (; at < text.size(); ++at)
    if (is_first_byte(text[at]) && ++kept == characters) break;
  return std::string(text.substr(0, at)) + "…";
}

void AppendStyled(std::string_view line, std::string_view style,
                  const TextOptions& options, std::string& out) {
  const std::string cut =
      options.width == 0 ? std::string(line) : CutTo(line, options.width);
  if (options.color && !style.empty())
    fmt::format_to(std::back_inserter(out), "{}{}{}\n", style, cut, kPlain);
  else
    fmt::format_to(std::back_inserter(out), "{}\n", cut);
}

std::string RowText(const FlatRow& row, Unit unit) {
  return fmt::format(
      "{:>8} {:>6} {:>6} {:>8} {:>6} {}", FormatValue(row.flat.value, unit),
      FormatPercent(row.flat_percent), FormatPercent(row.running_percent),
      FormatValue(row.cumulative.value, unit),
      FormatPercent(row.cumulative_percent), Printable(row.name));
}

}  // namespace

std::string WriteText(const FlatTable& table, const TextOptions& options) {
  std::string out;
  if (table.total.value != 0)
    AppendStyled(
        fmt::format("Total{}: {} {}",
                    options.thread.empty()
                        ? ""
                        : fmt::format(" ({})", Printable(options.thread)),
                    FormatValue(table.total.value, options.unit),
                    UnitName(options.unit)),
        kStrong, options, out);
  const size_t count = options.top == 0
                           ? table.rows.size()
                           : std::min(options.top, table.rows.size());
  for (const FlatRow& row : std::span(table.rows).first(count))
    AppendStyled(RowText(row, options.unit), StyleOf(row), options, out);
  return out;
}

}  // namespace heapprof
