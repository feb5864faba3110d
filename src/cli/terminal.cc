// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/environment.h"

namespace heapprof {

Look LookOfStandardOutput(ColorMode mode) {
  Look look = {.terminal = isatty(STDOUT_FILENO) == 1};
  winsize size = {};
  if (look.terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    look.columns = size.ws_col;
  look.color = mode == ColorMode::kAlways ||
               (mode == ColorMode::kAuto && look.terminal && WantsColor());
  return look;
}

}  // namespace heapprof
