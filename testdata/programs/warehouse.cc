// SPDX-License-Identifier: Apache-2.0
//
// Hundreds of functions that hold memory, so that a profile has enough rows
// to count the wrong ones in per cent. Each of the 120 shelves, n = 10..129,
// holds at exit
//
//   demo::ShelfN::Put, inlined into demo::ShelfN::Fill(int)  3 x n KiB
//   demo::ShelfN::Fill(double), an overload                  1 x n KiB
//
// in jemalloc's size classes: 480 blocks, and some more in the runtime
// libraries.
#include "hold.h"

#define SHELF(n)                                                         \
  class Shelf##n {                                                       \
   public:                                                               \
    [[gnu::noinline]] static void Fill(int blocks) { Put(blocks); }      \
    [[gnu::noinline]] static void Fill(double kibibytes) {               \
      const int size = static_cast<int>(kibibytes * 1024);               \
      hold::Keep(new char[size]);                                        \
    }                                                                    \
                                                                         \
   private:                                                              \
    [[gnu::always_inline]] static inline void Put(int blocks) {          \
      for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(n << 10)); \
    }                                                                    \
  };

#define FILL(n)      \
  Shelf##n::Fill(3); \
  Shelf##n::Fill(n * 1.0);

#define TEN(macro, tens)                                                     \
  macro(tens##0) macro(tens##1) macro(tens##2) macro(tens##3) macro(tens##4) \
      macro(tens##5) macro(tens##6) macro(tens##7) macro(tens##8)            \
          macro(tens##9)

#define ALL(macro) \
  TEN(macro, 1)    \
  TEN(macro, 2)    \
  TEN(macro, 3)    \
  TEN(macro, 4)    \
  TEN(macro, 5)    \
  TEN(macro, 6)    \
  TEN(macro, 7)    \
  TEN(macro, 8) TEN(macro, 9) TEN(macro, 10) TEN(macro, 11) TEN(macro, 12)

namespace demo {

ALL(SHELF)

[[gnu::noinline]] int FillAll() {
  ALL(FILL)
  return hold::kept_count;
}

}  // namespace demo

int main() { return demo::FillAll() == 480 ? 0 : 1; }
