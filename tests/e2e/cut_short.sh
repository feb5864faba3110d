#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# If a file becomes shorter while it is read, an error names it, whether whole
# pages are gone or only some bytes of the last page.
. "$(dirname "$0")/common.inc"
cc -shared -fPIC -O1 -o "$tmp/failing_calls.so" "$SUPPORT/failing_calls.c"

readonly program=$tmp/inlining dump=$tmp/inlining.heap

# cut_at FILE SIZE ARGUMENT...
cut_at() {
  local file=$1 size=$2
  shift 2
  cp "$bin/gcc-O2/inlining" "$program"
  sed "s|$bin/gcc-O2/inlining|$program|" "$dumps/inlining.gcc-O2.heap" >"$dump"
  command_line="SHRINK_FILE=$file SHRINK_SIZE=$size heapprof $*"
  status=0
  SHRINK_FILE=$file SHRINK_SIZE=$size LD_PRELOAD=$tmp/failing_calls.so \
    "$HEAPPROF" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
  expect_status 1
  expect_empty out
  expect_match err "^heapprof: error: $file: was truncated while it was being read\$"
  expect_equal "errors" 1 "$(grep -vc " warning: " "$tmp/err")"
}

sed "s|$bin/gcc-O2/inlining|$program|" "$dumps/inlining.gcc-O2.heap" >"$dump"
dump_size=$(stat -c %s "$dump")
program_size=$(stat -c %s "$bin/gcc-O2/inlining")
for size in 0 1 $((dump_size - 1)); do
  cut_at "$dump" "$size" --text --no-cache "$dump"
  cut_at "$dump" "$size" info "$dump"
done
for size in 0 4096 $((program_size / 2)) $((program_size - 1)); do
  cut_at "$program" "$size" --text --no-cache "$dump"
  cut_at "$program" "$size" --text --jobs 1 --no-cache "$dump"
done
# The same holds for the index of a binary.
run --cache-dir "$tmp/indexes" "$bin/gcc-O2/inlining" \
  "$dumps/inlining.gcc-O2.heap"
expect_status 0
index=$(find "$tmp/indexes" -type f -size +1k | head -n 1)
cut_at "$index" 0 --cache-dir "$tmp/indexes" "$dump"
