// SPDX-License-Identifier: Apache-2.0
//
// Functions that g++ -O2 clones, with a suffix to each name: the unused half of
// an argument goes (.isra), a constant argument goes (.constprop), what rarely
// runs is moved away (.cold); and one with an ABI tag. Holds at exit
//
//   demo::Isra                16 KiB
//   demo::Constprop           2 x 32 KiB
//   demo::Tagged[abi:cxx11]   64 KiB
#include "hold.h"

namespace demo {

struct Pair {
  long first;
  long second;
};

[[gnu::noinline]] static void Isra(const Pair& pair) {
  hold::Keep(std::malloc((16 << 10) * static_cast<size_t>(pair.first)));
  if (pair.first > 7) std::abort();
}

[[gnu::noinline]] static void Constprop(int count, int factor) {
  for (int i = 0; i < count; ++i)
    hold::Keep(std::malloc((32 << 10) * static_cast<size_t>(factor)));
}

[[gnu::noinline, gnu::abi_tag("cxx11")]] void Tagged(int count) {
  for (int i = 0; i < count; ++i) hold::Keep(std::malloc(64 << 10));
}

}  // namespace demo

int main(int argc, char**) {
  demo::Isra({argc, 2});
  demo::Constprop(argc, 1);
  demo::Constprop(argc, 1);
  demo::Tagged(argc);
  return 0;
}
