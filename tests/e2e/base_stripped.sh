#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A stripped program matches the same build with names. Code without names in
# another build matches nothing, which is said once.
. "$(dirname "$0")/common.inc"

# dump NAME PROGRAM: runs it, and leaves $tmp/NAME.heap.
dump() {
  LD_PRELOAD=libjemalloc.so.2 \
    MALLOC_CONF="prof:true,prof_final:true,lg_prof_sample:0,prof_prefix:$tmp/$1" \
    "$2"
  mv "$tmp/$1".*.f.heap "$tmp/$1.heap"
}

mkdir "$tmp/whole" "$tmp/stripped" "$tmp/other" "$tmp/third"
g++ -std=c++17 -O2 -g -o "$tmp/whole/names" "$PROGRAMS/names.cc"
strip -o "$tmp/stripped/names" "$tmp/whole/names"
g++ -std=c++17 -O1 -s -o "$tmp/other/names" "$PROGRAMS/names.cc"
g++ -std=c++17 -O0 -s -o "$tmp/third/names" "$PROGRAMS/names.cc"
for build in whole stripped other third; do dump $build "$tmp/$build/names"; done

# The names of one file serve both, whichever comes first.
for order in 'whole stripped' 'stripped whole'; do
  read -r first second <<<"$order"
  text "$tmp/$first.heap" "$tmp/$second.heap"
  expect_flat 'demo::Moved' 122880
  run --text --base "$tmp/$first.heap" "$tmp/$second.heap"
  expect_match err 'no difference to the base'
  expect_no_match err 'match(es)? nothing'
done

run --text --base "$tmp/whole.heap" "$tmp/other.heap"
expect_status 0
expect_equal "notes" "heapprof: 319.5 KiB of the new side has no names and \
matches nothing; see heapprof info" "$(grep 'nothing' "$tmp/err")"
run --text --base "$tmp/other.heap" "$tmp/whole.heap"
expect_match err '^heapprof: 319\.5 KiB of the base has no names and matches'
run --text --base "$tmp/other.heap" "$tmp/third.heap"
expect_match err '^heapprof: 319\.5 KiB of the base and 319\.5 KiB of the new side '
