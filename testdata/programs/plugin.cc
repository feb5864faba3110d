// SPDX-License-Identifier: Apache-2.0
//
// A plugin that plugin_host.cc loads and unloads, and whose memory stays.
#include <cstdlib>

extern "C" void Hold(void* block);

namespace {

[[gnu::noinline]] void HoldAtDepth(int depth) {
  Hold(malloc(9000));
  if (depth > 0) HoldAtDepth(depth - 1);
  asm volatile("");  // no tail call
}

}  // namespace

extern "C" void Work() {
  for (int i = 0; i < 40; ++i) HoldAtDepth(i % 5);
}
