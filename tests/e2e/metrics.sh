#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The four counters of a dump.
. "$(dirname "$0")/common.inc"

readonly binary=$bin/gcc-O2/inlining
readonly dump=$dumps/inlining.gcc-O2.heap

for metric in inuse_objects alloc_objects; do
  run --text --$metric "$binary" "$dump"
  expect_status 0
  expect_match out '^Total: [0-9]+ objects$'
  expect_flat 'demo::Inner \(inline\)' 8
  expect_cum 'main' 25
done
text --alloc_space "$binary" "$dump"
expect_flat 'demo::Inner \(inline\)' 131072

# What a program without prof_accum:true writes.
sed 's/\[[0-9]*: [0-9]*\]/[0: 0]/' "$dump" >"$tmp/live.heap"
text "$binary" "$tmp/live.heap"
expect_flat 'demo::Inner \(inline\)' 131072
run --text --alloc_space "$binary" "$tmp/live.heap"
expect_status 1
expect_empty out
expect_match err 'prof_accum:true'

# A profile without live values shows what was allocated, and says so.
run --proto --pprof-types=alloc_space --alloc_space -o "$tmp/allocated.pb.gz" \
  "$dump"
for command in --text trend; do
  run $command "$tmp/allocated.pb.gz"
  expect_status 0
  expect_match err 'not what is live: showing --alloc_space$'
done
