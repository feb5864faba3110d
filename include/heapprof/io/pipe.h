// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heapprof {

// If `fd` is an end of a pipe, lets the pipe hold 1 MiB instead of 64 KiB,
// where the system allows that: the process at one end then rarely waits for
// that at the other. Does nothing for other files.
void EnlargePipe(int fd);

}  // namespace heapprof
