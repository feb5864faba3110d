// SPDX-License-Identifier: Apache-2.0
//
// What a person at a terminal gets and a pipe does not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapprof {

enum class ColorMode : uint8_t { kAuto, kAlways, kNever };

// How standard output is to look.
struct Look {
  bool terminal = false;
  // Of the terminal; 0: no limit.
  size_t columns = 0;
  size_t rows = 0;
  bool utf8 = false;  // a terminal that shows it
  bool color = false;
};

// With kAuto there is colour on a terminal that knows it, unless the
// environment has NO_COLOR (no-color.org).
Look LookOfStandardOutput(ColorMode mode);

// Of the terminal that standard error is; 0 if it is none.
size_t ColumnsOfStandardError();

}  // namespace heapprof
