// SPDX-License-Identifier: Apache-2.0
//
// The library of shared_main.cc, which says what it holds.
#include "shared_lib.h"

#include <cstdlib>

namespace shop {

[[gnu::always_inline]] static inline void* Shelf() {
  return std::malloc(64 << 10);
}

void HoldInLibrary(void** blocks, int count) {
  for (int i = 0; i < count; ++i) blocks[i] = Shelf();
}

}  // namespace shop
