#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A comparison of dumps that do not match is made, with one warning for each
# reason.
. "$(dirname "$0")/common.inc"

readonly new=$dumps/growth.first.heap

# No warning: one sampling period and one program, even another build of it or
# a copy under another name.
for base in "$dumps/growth.again.heap" "$dumps/growth.old-build.heap"; do
  run --base "$base" "$new"
  expect_status 0
  expect_no_match err 'warning'
done
cp "$bin/gcc-O2/growth" "$tmp/renamed"
sed "s,/[^ ]*/growth\$,$tmp/renamed," "$new" >"$tmp/renamed.heap"
run --base "$tmp/renamed.heap" "$new"
expect_status 0
expect_no_match err 'warning'

# expect_warning REGEX: exactly one warning, which matches.
expect_warning() {
  expect_status 0
  expect_match out '%'
  expect_equal "warnings" 1 "$(grep -c 'warning' "$tmp/err")"
  expect_match err "$1"
}

sed '1s/.*/heap_v2\/65536/' "$dumps/growth.grown.heap" >"$tmp/sampled.heap"
run --base "$new" "$tmp/sampled.heap"
expect_warning 'periods differ: 65536 bytes, in the base 1 byte'
run --base "$tmp/sampled.heap" "$new"
expect_warning 'periods differ: 1 byte, in the base 65536 bytes'

# Inlined functions are known of one side only.
mkdir "$tmp/without"
g++ -std=c++17 -O2 -o "$tmp/without/growth" "$PROGRAMS/growth.cc"
LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/without/app" "$tmp/without/growth" 4
mv "$tmp"/without/app.*.heap "$tmp/symbols.heap"
run --base "$tmp/symbols.heap" "$new"
expect_warning 'only the new side has debug information of growth, so functions'\
' that are inlined there look new; --no-inlines compares both sides alike$'
run --base "$new" "$tmp/symbols.heap"
expect_match err 'only the base has debug information of .* look gone;'
run --no-inlines --base "$tmp/symbols.heap" "$new"
expect_no_match err 'warning'
# One build: the names of the file that has them serve both sides.
strip -o "$tmp/stripped" "$bin/gcc-O2/growth"
sed "s,/[^ ]*/growth\$,$tmp/stripped," "$new" >"$tmp/stripped.heap"
run --base "$tmp/stripped.heap" "$new"
expect_no_match err 'warning'

run --base "$dumps/inlining.gcc-O2.heap" "$new"
expect_warning 'different programs.*/growth \(build [0-9a-f]+\), in the base .*/inlining \(build [0-9a-f]+\)$'

# The program of each side has a row of its own, with the path that it had.
run --json --base "$dumps/inlining.clang-O0.heap" "$dumps/inlining.gcc-O2.heap"
expect_status 0
expect_equal "modules of two builds" \
  "$bin/clang-O0/inlining $bin/gcc-O2/inlining" \
  "$(jq -r '.modules[].path' "$tmp/out" | grep /inlining | sort | xargs)"
