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
  size_t columns = 0;  // of the terminal; 0: no limit
  bool color = false;
};

// With kAuto there is colour on a terminal that knows it, unless the
// environment has NO_COLOR (no-color.org).
Look LookOfStandardOutput(ColorMode mode);

}  // namespace heapprof
