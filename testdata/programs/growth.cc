// SPDX-License-Identifier: Apache-2.0
//
// One function grows by as much as the command line says, all else stays:
// `growth N` holds at exit
//
//   demo::Grow      N x  1 MiB
//   demo::Steady    8 x 64 KiB = 524288
//
// and, in the runtime libraries, the same in every run.
#include "hold.h"

namespace demo {

[[gnu::noinline]] void Grow(int mebibytes) {
  for (int i = 0; i < mebibytes; ++i) hold::Keep(std::malloc(1 << 20));
}

[[gnu::noinline]] void Steady(int blocks) {
  for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(64 << 10));
}

}  // namespace demo

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  demo::Steady(8);
  demo::Grow(std::atoi(argv[1]));
  return 0;
}
