// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "heapprof/view/units.h"

namespace heapprof {

// Formats a change for a column: "+17.5 ± 1.8 MiB", or "+12" objects, whose
// error is not known. No change is "0" or "0.0 ± 1.8 MiB".
inline std::string ChangeText(double change,
                              const std::optional<Interval>& interval,
                              Unit unit) {
  const auto [lower, upper] = interval.value_or(Interval{change, change});
  if (change == 0 && lower == upper) return "0";
  if (unit == Unit::kMegabytes) return FormatChange(change, {lower, upper});
  return std::string(PlusOf(change)) + FormatCell(change, unit);
}

}  // namespace heapprof
