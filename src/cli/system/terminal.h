// SPDX-License-Identifier: Apache-2.0
//
// The terminal: its size, and whether output gets colours.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapprof {

enum class ColorMode : uint8_t { kAuto, kAlways, kNever };

// How a report is laid out; the default is for files and pipes.
struct TerminalStyle {
  bool is_terminal = false;
  // Size of the terminal; 0: no limit.
  size_t columns = 0;
  size_t rows = 0;
  bool utf8 = false;
  bool color = false;
};

// Returns the style for standard output. With kAuto, there is colour on a
// terminal that supports it, unless the environment has NO_COLOR
// (no-color.org).
TerminalStyle StyleOfStandardOutput(ColorMode mode);

// Returns the width of the terminal; 0 if standard error is not a terminal.
size_t ColumnsOfStandardError();

}  // namespace heapprof
