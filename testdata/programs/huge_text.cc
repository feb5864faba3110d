// SPDX-License-Identifier: Apache-2.0
//
// Moves a page of its own code to anonymous memory at the same place, as
// programs do that want their code in huge pages. At exit:
//
//   demo::HoldInRemapped, from there   3 x 64 KiB = 196608
#include <sys/mman.h>

#include <cstring>

#include "hold.h"

#define REMAPPED [[gnu::noinline, gnu::section(".text.remapped")]]

namespace demo {

constexpr size_t kPage = 4096;

REMAPPED [[gnu::aligned(kPage)]] void HoldInRemapped(int blocks) {
  for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(64 << 10));
}

// The first function behind.
REMAPPED [[gnu::aligned(2 * kPage)]] void Behind() { hold::Keep(nullptr); }

bool Remap() {
  auto* code = reinterpret_cast<char*>(&HoldInRemapped);
  void* copy = mmap(nullptr, kPage, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return false;
  std::memcpy(copy, code, kPage);
  return mprotect(copy, kPage, PROT_READ | PROT_EXEC) == 0 &&
         mremap(copy, kPage, kPage, MREMAP_MAYMOVE | MREMAP_FIXED, code) ==
             code;
}

}  // namespace demo

int main() {
  demo::Behind();
  if (!demo::Remap()) return 1;
  demo::HoldInRemapped(3);
  return 0;
}
