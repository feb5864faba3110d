// SPDX-License-Identifier: Apache-2.0
//
// A recursion that is too deep for jemalloc's stacks: 4 MiB below 200 calls,
// and 4 MiB below 2.
#include <cstdlib>

#include "hold.h"

namespace demo {

// The argument of the callee keeps the compiler from making a loop of this.
[[gnu::noinline]] int Descend(int depth) {
  if (depth > 0) return Descend(depth - 1) + depth;
  hold::Keep(std::malloc(4 << 20));
  return 0;
}

}  // namespace demo

int main() { return demo::Descend(200) + demo::Descend(2) > 0 ? 0 : 1; }
