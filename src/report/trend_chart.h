// SPDX-License-Identifier: Apache-2.0
//
// Pictures of a row of `heapprof trend`, as SVG elements for an HTML page.
// Their colours are those of assets/trend/style.css.
#pragma once

#include <string>

#include "heapprof/view/trend_table.h"

namespace heapprof {

// Draws the values over the dumps, from 0 up, and their error bars as a band.
std::string TrendChart(const TrendTable& table, const TrendRow& row);

// Draws the values alone, small enough for a line of text.
std::string TrendSparkline(const TrendRow& row);

}  // namespace heapprof
