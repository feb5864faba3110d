// SPDX-License-Identifier: Apache-2.0
//
// Holds at exit
//
//   demo::Hold   2 x 64 KiB = 131072
//
// but first says "ready" and waits for the end of its input, so that others can
// change its files while it runs.
#include <cstdio>

#include "hold.h"

namespace demo {

[[gnu::noinline]] void Hold(int blocks) {
  for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(64 << 10));
}

}  // namespace demo

int main() {
  demo::Hold(2);
  std::puts("ready");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return 0;
}
