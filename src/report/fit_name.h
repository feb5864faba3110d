// SPDX-License-Identifier: Apache-2.0
//
// Names that fit the rest of a terminal's line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heapprof {

// `name`, printable, as it goes behind `used` characters of a line of `width`;
// 0 = of any. What is too long loses its middle, but keeps 24 characters,
// however narrow it is.
std::string FitName(std::string_view name, size_t used, size_t width);

}  // namespace heapprof
