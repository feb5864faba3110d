// SPDX-License-Identifier: Apache-2.0
//
// Calls at known addresses. PADDING makes another build of the same program.
namespace app {

[[gnu::noinline]] void Sink(int n) { asm volatile("" : : "r"(n)); }

[[gnu::always_inline]] inline void Inner(int n) { Sink(n); }

[[gnu::always_inline]] inline void Middle(int n) { Inner(n + 1); }

#ifdef PADDING
[[gnu::noinline]] void Padding(int n) {
  for (int i = 0; i < n; ++i) asm volatile("nop; nop; nop" : : "r"(i));
}
#endif

[[gnu::noinline]] void Outer(int n) {
#ifdef PADDING
  Padding(n);
#endif
  Middle(n);
  asm volatile("");  // no tail call
}

[[gnu::noinline]] void ManyCalls(int n) {
  Sink(n);
  Sink(n + 1);
  Sink(n + 2);
  Sink(n + 3);
  Sink(n + 4);
  Sink(n + 5);
  Sink(n + 6);
  Sink(n + 7);
  asm volatile("");
}

}  // namespace app

int main(int argc, char**) {
  app::Outer(argc);
  app::ManyCalls(argc);
}
