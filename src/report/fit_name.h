// SPDX-License-Identifier: Apache-2.0
//
// Shortens names to fit the rest of a terminal's line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heapprof {

// `name`, made printable and shortened to fit after `used` characters in a line
// of `width` characters; 0 = no limit. It is cut in the middle, but keeps at
// least 24 characters.
std::string FitName(std::string_view name, size_t used, size_t width);

}  // namespace heapprof
