// SPDX-License-Identifier: Apache-2.0
//
// Allocations in a shared library and in the program that uses it. At exit:
//
//   shop::Shelf, inlined into shop::HoldInLibrary  5 x 64 KiB = 327680
//   demo::HoldInMain                               3 x 64 KiB = 196608
//
// and some more in the runtime libraries.
#include "hold.h"
#include "shared_lib.h"

namespace demo {

[[gnu::noinline]] void HoldInMain(int blocks) {
  for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(64 << 10));
}

}  // namespace demo

int main() {
  constexpr int kInLibrary = 5;
  void* blocks[kInLibrary];
  shop::HoldInLibrary(blocks, kInLibrary);
  for (void* block : blocks) hold::Keep(block);
  demo::HoldInMain(3);
  return 0;
}
