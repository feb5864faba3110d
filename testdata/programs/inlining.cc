// SPDX-License-Identifier: Apache-2.0
//
// Allocations below inlined calls, templates, a lambda, a std::function and
// recursion. At exit, in size classes of jemalloc:
//
//   demo::Inner, inlined into Middle, Outer, HoldChain    8 x 16 KiB = 131072
//   demo::Pool<demo::Small>::Grow                         4 x  4 KiB =  16384
//   demo::Pool<demo::Big>::Grow                           2 x 64 KiB = 131072
//   the lambda in demo::HoldLambda                        3 x 32 KiB =  98304
//   demo::Refill, through a std::function in HoldFunction 5 x  8 KiB =  40960
//   demo::HoldRecursive, one block on each of 3 levels    3 x 20 KiB =  61440
//
// 25 blocks, 479232 bytes. The runtime libraries hold some more.
#include <functional>

#include "hold.h"

namespace demo {

[[gnu::always_inline]] inline void Inner(int count) {
  for (int i = 0; i < count; ++i) hold::Keep(std::malloc(16 << 10));
}

[[gnu::always_inline]] inline void Middle(int count) { Inner(count); }

[[gnu::always_inline]] inline void Outer(int count) { Middle(count); }

[[gnu::noinline]] void HoldChain(int count) { Outer(count); }

struct Small {
  char bytes[4 << 10];
};

struct Big {
  char bytes[64 << 10];
};

template <typename Element>
class Pool {
 public:
  [[gnu::noinline]] void Grow(int count) {
    for (int i = 0; i < count; ++i) hold::Keep(new Element);
    size_ = size_ + count;
  }

 private:
  volatile int size_ = 0;
};

[[gnu::noinline]] void HoldLambda(int count) {
  volatile int calls = 0;
  const auto fill = [&calls](int blocks) __attribute__((noinline)) {
    for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(32 << 10));
    calls = calls + 1;
  };
  fill(count);
  calls = calls + 1;
}

[[gnu::noinline]] void Refill(int count) {
  for (int i = 0; i < count; ++i) hold::Keep(std::malloc(8 << 10));
}

[[gnu::noinline]] int HoldFunction(const std::function<void(int)>& refill,
                                   int count) {
  refill(count);
  return hold::kept_count;
}

// Does something after each call, so that no call becomes a jump.
[[gnu::noinline]] int HoldRecursive(int depth) {
  hold::Keep(std::malloc(20 << 10));
  const int below = depth > 1 ? HoldRecursive(depth - 1) : 0;
  return below + hold::kept_count;
}

}  // namespace demo

int main() {
  demo::HoldChain(8);
  demo::Pool<demo::Small> small;
  small.Grow(4);
  demo::Pool<demo::Big> big;
  big.Grow(2);
  demo::HoldLambda(3);
  const int blocks = demo::HoldFunction(demo::Refill, 5);
  return demo::HoldRecursive(3) > blocks ? 0 : 1;
}
