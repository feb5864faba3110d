// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/pipe.h"

#include <fcntl.h>

namespace heapprof {

void EnlargePipe(int fd) {
  constexpr int kMostOfUsers = 1 << 20;  // see pipe(7)
  fcntl(fd, F_SETPIPE_SZ, kMostOfUsers);
}

}  // namespace heapprof
