// SPDX-License-Identifier: Apache-2.0
#include "cli/system/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/system/environment.h"

namespace heapprof {
namespace {

// Returns the size of the terminal; zeros if it is unknown.
winsize SizeOf(int terminal) {
  winsize size = {};
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

}  // namespace

TerminalStyle StyleOfStandardOutput(ColorMode mode) {
  TerminalStyle style = {.is_terminal = isatty(STDOUT_FILENO) == 1};
  if (style.is_terminal) {
    const winsize size = SizeOf(STDOUT_FILENO);
    style.columns = size.ws_col;
    style.rows = size.ws_row;
  }
  style.utf8 = style.is_terminal && UsesUtf8();
  style.color = mode == ColorMode::kAlways ||
                (mode == ColorMode::kAuto && style.is_terminal && WantsColor());
  return style;
}

size_t ColumnsOfStandardError() {
  return isatty(STDERR_FILENO) == 1 ? SizeOf(STDERR_FILENO).ws_col : 0;
}

}  // namespace heapprof
