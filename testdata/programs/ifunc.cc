// SPDX-License-Identifier: Apache-2.0
//
// Calls a function whose code is chosen when the program is loaded. Holds at
// exit
//
//   Chosen, static, behind the IFUNC grab    64 KiB
//   exported                                 32 KiB
#include "hold.h"

extern "C" {

[[gnu::noinline]] static void Chosen(int blocks) {
  for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(64 << 10));
}

static void (*Choose())(int) { return Chosen; }

[[gnu::ifunc("Choose")]] void grab(int blocks);

[[gnu::noinline]] void exported(int blocks) {
  for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(32 << 10));
}
}

int main(int argc, char**) {
  grab(argc);
  exported(argc);
  return 0;
}
