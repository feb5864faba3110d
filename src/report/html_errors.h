// SPDX-License-Identifier: Apache-2.0
//
// What the header of the page's data says about metrics and their errors.
#pragma once

#include <cstddef>
#include <span>

#include "heapprof/report/html_data.h"
#include "report/json_parts.h"

namespace heapprof {

// Describes the metric of a column.
Json MetricObject(const HtmlReport& report, size_t column);

Json SeedsArray(std::span<const HtmlSeeds> seeds);

}  // namespace heapprof
