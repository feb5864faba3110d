/* SPDX-License-Identifier: Apache-2.0
 *
 * Needs no header and no library, so that clang compiles it for any machine.
 * Calls of many kinds: direct, through pointers, inlined, from several levels.
 */
#define NOINLINE __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))

typedef void *(*Allocate)(unsigned long);
extern void *allocate(unsigned long);
Allocate volatile pointer = allocate;
void *volatile sink;

INLINE void inner(unsigned long size) { sink = allocate(size); }

INLINE void through_pointer(unsigned long size) {
  inner(size);
  sink = pointer(size + 1);
}

NOINLINE void leaf(unsigned long size) {
  through_pointer(size);
  sink = 0;
}

NOINLINE void branch(unsigned long size) {
  leaf(size);
  inner(2 * size);
  leaf(3 * size);
  sink = 0;
}

NOINLINE int work(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    branch((unsigned long)i);
    through_pointer(7);
  }
  leaf(1);
  return rounds;
}

void _start(void) {
  work(3);
  branch(1);
  for (;;) sink = 0;
}

NOINLINE void *allocate(unsigned long size) {
  static char memory[4096];
  static unsigned long used;
  used += size;
  return memory + used % sizeof memory;
}
