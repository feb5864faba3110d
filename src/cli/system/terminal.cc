// SPDX-License-Identifier: Apache-2.0
#include "cli/system/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/system/environment.h"

namespace heapprof {
namespace {

// Zeros if it is not known.
winsize SizeOf(int terminal) {
  winsize size = {};
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

}  // namespace

Look LookOfStandardOutput(ColorMode mode) {
  Look look = {.terminal = isatty(STDOUT_FILENO) == 1};
  if (look.terminal) {
    const winsize size = SizeOf(STDOUT_FILENO);
    look.columns = size.ws_col;
    look.rows = size.ws_row;
  }
  look.utf8 = look.terminal && UsesUtf8();
  look.color = mode == ColorMode::kAlways ||
               (mode == ColorMode::kAuto && look.terminal && WantsColor());
  return look;
}

size_t ColumnsOfStandardError() {
  return isatty(STDERR_FILENO) == 1 ? SizeOf(STDERR_FILENO).ws_col : 0;
}

}  // namespace heapprof
