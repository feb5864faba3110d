// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "heapprof/view/units.h"

namespace heapprof {

// Formats a change for a column: "+17.5 ± 1.8 MiB", or "+12" objects, whose
// error is not known. No change is "0".
inline std::string ChangeText(double change,
                              const std::optional<Interval>& interval,
                              Unit unit) {
  if (unit != Unit::kMegabytes || change == 0)
    return (change > 0 ? "+" : "") + FormatCell(change, unit);
  return FormatChange(change, interval.value_or(Interval{change, change}));
}

}  // namespace heapprof
