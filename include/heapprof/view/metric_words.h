// SPDX-License-Identifier: Apache-2.0
//
// What reports call a metric, and the unit of its values.
#pragma once

#include <string_view>

#include "heapprof/profile/profile.h"
#include "heapprof/view/units.h"

namespace heapprof {

// The names of metrics in files and options, in the order of the enumerators.
inline constexpr std::string_view kMetricChoices =
    "inuse_objects|inuse_space|alloc_objects|alloc_space";
std::string_view MetricName(Metric metric);

// Returns the name of a metric in a sentence, such as "live bytes".
const char* MetricWords(Metric metric);

// Returns what follows a value: "live" or "allocated since the start".
std::string_view MetricState(Metric metric);

// Returns the unit in which reports without options for units show a metric.
constexpr Unit UnitOf(Metric metric) {
  return IsObjectCount(metric) ? Unit::kObjects : Unit::kMegabytes;
}

}  // namespace heapprof
