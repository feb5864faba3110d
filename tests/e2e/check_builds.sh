#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A program that holds the same in all builds passes check, and no output shows
# a change, whatever the compiler, the optimization and the changes to its
# source. Every allocation is sampled, so nothing is noise.
. "$(dirname "$0")/common.inc"

# build NAME COMPILER FLAG...
build() {
  mkdir "$tmp/$1"
  "$2" -std=c++17 -g "${@:3}" -o "$tmp/$1/names" "$PROGRAMS/names.cc"
  LD_PRELOAD=libjemalloc.so.2 \
    MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:0,prof_prefix:$tmp/$1 \
    "$tmp/$1/names"
  mv "$tmp/$1".*.heap "$tmp/$1.heap"
}

build gcc-O2 g++ -O2
build gcc-O0 g++ -O0
build gcc-O2-changed g++ -O2 -DCHANGED
build clang-O2 clang++-19 -O2
build clang-O0-changed clang++-19 -O0 -DCHANGED

for base in "$tmp"/*.heap; do
  for new in "$tmp"/*.heap; do
    for by in function file module; do
      run check --max-growth=0 --max-total-growth=0 --by=$by --base "$base" \
        "$new"
      expect_status 0
      expect_match out '^ok: '
    done
    # All other outputs agree with check.
    run --text --base "$base" "$new"
    expect_match err 'no difference to the base'
    for inlines in '' --no-inlines; do
      run --collapsed --two-column $inlines --base "$base" "$new"
      expect_equal "rows that changed" "" \
        "$(awk '$NF != $(NF - 1)' "$tmp/out")"
      expect_match out ' [1-9][0-9]* [1-9][0-9]*$'
    done
  done
done

# Several builds on one side match each other, too.
run --collapsed --two-column --base "$tmp/gcc-O2.heap" \
  --base "$tmp/clang-O2.heap" --base "$tmp/gcc-O0.heap" \
  "$tmp/gcc-O2-changed.heap" "$tmp/clang-O0-changed.heap"
expect_status 0
expect_equal "rows that changed" "" "$(awk '$NF != $(NF - 1)' "$tmp/out")"
expect_match out ';demo::Moved\(\) 61440 61440$'

# The last call of Add() is a jump in one build, so that Add() is on fewer
# stacks: it has not grown, unless Hold() does, too.
cat >"$tmp/jumps.cc" <<'END'
#include <cstdlib>
#include <cstring>
void* volatile held;
__attribute__((noinline)) void Hold(size_t size) {
  held = memset(malloc(size), 1, size);
}
__attribute__((noinline)) void Add(size_t size) {
  Hold(1024);
  Hold(size);
}
int main(int argc, char** argv) {
  Add(argc > 1 ? 300 << 10 : 200 << 10);
  return held == argv;
}
END
for flag in -foptimize-sibling-calls -fno-optimize-sibling-calls; do
  g++ -g -O2 $flag -o "$tmp/jumps$flag" "$tmp/jumps.cc"
  for leak in "" leak; do
    # shellcheck disable=SC2086 # none or one
    LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/jumps" "$tmp/jumps$flag" $leak
    mv "$tmp"/jumps.*.heap "$tmp/jumps$flag$leak.heap"
  done
done
readonly base=$tmp/jumps-foptimize-sibling-calls.heap
run check --max-growth=10KiB --allow-renamed --base "$base" \
  "$tmp/jumps-fno-optimize-sibling-calls.heap"
expect_status 0
expect_match out 'inconclusive  Add$'
expect_match out 'these stacks held as much before, without this function'
run check --max-growth=10KiB --allow-renamed --base "$base" \
  "$tmp/jumps-fno-optimize-sibling-callsleak.heap"
expect_status 1
expect_match out 'regression  Hold$'
