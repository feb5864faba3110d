// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/units.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace heapprof {

std::string FormatBytes(double bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  constexpr double kStep = 1024;
  // 1023.95 would be printed as 1024.0.
  constexpr double kLimit = 1023.95;
  if (std::abs(bytes) < kStep - 0.5) return fmt::format("{:.0f} B", bytes);
  size_t unit = 0;
  do {
    bytes /= kStep;
    ++unit;
  } while (std::abs(bytes) >= kLimit && unit + 1 < kUnits.size());
  return fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string FormatValue(double value, Unit unit) {
  constexpr double kMegabyte = 1 << 20;
  if (unit == Unit::kMegabytes) return fmt::format("{:.1f}", value / kMegabyte);
  // Adding 0 turns a negative zero into a plain one.
  return fmt::format("{:.0f}", std::trunc(value) + 0.0);
}

std::string_view UnitName(Unit unit) {
  switch (unit) {
    case Unit::kMegabytes:
      return "MB";
    case Unit::kBytes:
      return "B";
    case Unit::kObjects:
      return "objects";
  }
  return "";
}

std::string FormatPercent(double percent) {
  return fmt::format("{:.1f}%", percent);
}

std::string FormatCell(double value, Unit unit) {
  const std::string number = FormatValue(value, Unit::kBytes);
  if (number == "0" || unit == Unit::kObjects) return number;
  if (unit == Unit::kBytes) return number + "B";
  std::string cell = FormatBytes(value);
  std::erase(cell, ' ');
  return cell;
}

std::string FormatShare(double percent) {
  const double share = std::abs(percent);
  // What rounds to 100 has no decimals, what is small has two digits.
  if (share >= 99.95 && share <= 100.05) return "  100%";
  return share >= 1 ? fmt::format("{:5.2f}%", share)
                    : fmt::format("{:5.2g}%", share);
}

double Percent(double part, double whole) {
  return whole == 0 ? 0 : 100.0 * part / whole;
}

}  // namespace heapprof
