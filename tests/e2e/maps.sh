#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A dump without a memory map borrows that of another dump of the process, or
# of a copy of /proc/PID/maps.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
text "$dump"
cp "$tmp/out" "$tmp/whole"
sed '/^MAPPED_LIBRARIES/,$d' "$dump" >"$tmp/bare.heap"
sed '1,/^MAPPED_LIBRARIES/d' "$dump" >"$tmp/maps"
gzip -c "$dump" >"$tmp/other.heap.gz"

text "$tmp/bare.heap"
expect_no_match out 'demo::Inner'
expect_match err 'bare.heap: no MAPPED_LIBRARIES section, so its addresses '\
'cannot be named; use --maps with another dump of the process'
for maps in maps other.heap.gz; do
  text --maps "$tmp/$maps" "$tmp/bare.heap"
  expect_same whole out
  expect_no_match err 'MAPPED_LIBRARIES'
done

run --text --maps "$tmp/bare.heap" "$dump"
expect_status 1
expect_match err 'error: .*bare.heap: expected a dump with a memory map or a '\
'copy of /proc/PID/maps, found a profile without a memory map$'
run --text --maps "$tmp/missing" "$dump"
expect_status 1
expect_match err 'error: .*missing: cannot open: No such file or directory$'
