// SPDX-License-Identifier: Apache-2.0
//
// Bars of block characters, for tables on terminals.
#pragma once

#include <cstddef>
#include <string>

namespace heapprof {

// Returns a bar for `value` that takes `width` columns, in steps of an eighth
// of a column; the bar of `largest` fills them. Blanks follow a shorter bar.
std::string TextBar(double value, double largest, size_t width);

}  // namespace heapprof
