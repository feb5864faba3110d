#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A row is a function, a line, a file, an address or a module.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
source=$(dirname "$0")/../../testdata/programs/inlining.cc

# line_of TEXT: "inlining.cc:N" of the first line of the program with TEXT.
line_of() {
  local line
  line=$(grep -nF -m1 -e "$1" "$source") || fail "$1" "a line" none
  echo "inlining.cc:${line%%:*}"
}

text "$dump"
all=$(total)
for option in --lines --files --addresses --modules; do
  text $option "$dump"
  expect_equal "total of $option" "$all" "$(total)"
done

# The line of an allocation holds what the function does.
text "$dump"
held=$(sum_rows 1 'demo::HoldRecursive')
[[ $held -gt 0 ]] || fail HoldRecursive "bytes" "$held"
text --lines "$dump"
expect_equal "bytes of HoldRecursive's lines" "$held" \
  "$(sum_rows 1 'demo::HoldRecursive [^ ]*/inlining[.]cc:[0-9]+')"
expect_no_match out 'discriminator'
expect_match out " main [^ ]*/$(line_of 'demo::HoldChain(8)')\$"

# All of the program is in one file and one module, the rest in others.
text --files "$dump"
expect_flat '/[^ ]*/inlining[.]cc' "$((all - $(sum_rows 1 '\[.*\]')))"
text --modules "$dump"
expect_flat '/[^ ]*/bin/gcc-O2/inlining' "$((all - $(sum_rows 1 '.*[.]so.*')))"

# Addresses are those of the calls; jeprof has the same.
text --addresses "$dump"
expect_match out ' [0-9a-f]{16} main /[^ ]*/inlining[.]cc:[0-9]+$'

# Paths as a person writes them, however the compiler was called; the C
# library's say "./csu/../sysdeps". Two spellings are one file.
mkdir -p "$tmp/build/sub" "$tmp/prefix"
cat >"$tmp/keep.h" <<'END'
#include <cstdlib>
inline void* Keep(size_t size) { return malloc(size); }
END
echo '#include "keep.h"
void* kept[2];
void* Other();
int main() { kept[0] = Keep(4096); kept[1] = Other(); }' >"$tmp/main.cc"
echo '#include "keep.h"
void* Other() { return Keep(8192); }' >"$tmp/other.cc"
(cd "$tmp/build" && g++ -g -c -I ./sub/../.. -o main.o sub/../../main.cc &&
  g++ -g -c -I ../prefix/.. -o other.o .././other.cc &&
  g++ -o paths main.o other.o)
LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/paths" "$tmp/build/paths"
run --files --show_bytes --focus="^$tmp/keep\\.h:2$" "$tmp"/paths.*.heap
expect_status 0
expect_flat "$tmp/keep\\.h" 12288
expect_match out " $tmp/main\.cc$"
expect_match out " $tmp/other\.cc$"
expect_no_match out '/\.\.?/'
run --disasm=Other "$tmp"/paths.*.heap
expect_match out "^-+ $tmp/other\.cc\$"
expect_no_match out '/\.\.?/'

# Folded stacks: recursion within a file is one frame, lines are as they are.
run --collapsed --files "$dump"
expect_status 0
expect_match out ';[^;]*/inlining[.]cc [0-9]+$'
expect_no_match out '/inlining[.]cc;[^;]*/inlining[.]cc'
run --collapsed --lines "$dump"
expect_match out ';main [^ ;]*/inlining[.]cc:[0-9]+;demo::HoldRecursive'
run --collapsed --modules "$dump"
expect_match out '^[^;]*/inlining;[^;]*/libc[.]so[.]6;[^;]*/inlining [0-9]+$'

# The compiler makes several functions from one.
cat >"$tmp/clones.cc" <<'END'
#include <cstdio>
#include <cstdlib>

void* kept[99];
int kept_count;

[[gnu::noinline]] static void Hold(int size, int more) {
  if (more == 7) {
    std::puts("never");
    std::abort();
  }
  kept[kept_count++] = std::malloc(size * (more + 1));
}

[[gnu::noinline]] static int Work(int* blocks, int more) {
  for (int i = 0; i < *blocks; ++i) Hold(8 << 10, more);
  return *blocks + more;
}

template <int kMore>
[[gnu::noinline]] int WorkMore(int* blocks) {
  return Work(blocks, kMore) + kMore;
}

int main(int argc, char**) {
  int four = 3 + argc, five = 5;
  const int sum = Work(&four, 1) + Work(&five, argc) + Work(&four, 2);
  return sum + WorkMore<1>(&four) + WorkMore<2>(&five) == 0;
}
END
g++ -O3 -o "$tmp/clones" "$tmp/clones.cc"
[[ $(nm -C "$tmp/clones" | grep -c 'Hold.*\[clone') -gt 1 ]] ||
  fail clones "of Hold" "$(nm -C "$tmp/clones")"
MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:0,prof_prefix:$tmp/clones \
  LD_PRELOAD=libjemalloc.so.2 "$tmp/clones"
text "$tmp"/clones.*.f.heap
expect_flat Hold $(((4 * 16 + 5 * 16 + 4 * 24 + 4 * 16 + 5 * 24) << 10))
expect_equal "rows of Hold" 1 "$(grep -c Hold "$tmp/out")"
text --addresses "$tmp"/clones.*.f.heap
[[ $(grep -c Hold "$tmp/out") -gt 1 ]] || fail Hold "several addresses" one

# Also in comparisons of two builds.
text --files --base "$dumps/growth.old-build.heap" "$dumps/growth.grown.heap"
expect_match out ' /[^ ]*/growth[.]cc$'

run --lines --files "$dump"
expect_status 2
expect_match err 'more than one granularity'
