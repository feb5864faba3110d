#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heapprof with ThreadSanitizer gives the same report three times: without an
# index, while it builds the indexes, and from them. The first data race ends
# a run with an error. Debug information is read both as it is and compressed.
# Then several threads name the frames of many dumps.
. "$(dirname "$0")/../e2e/common.inc"

# report NAME DUMP ARGUMENT...: leaves the report in $tmp/NAME.
report() {
  local name=$1 dump=$2
  shift 2
  run --text --lines --jobs 4 "$@" "$dump"
  expect_status 0
  expect_no_match err 'ThreadSanitizer'
  cp "$tmp/out" "$tmp/$name"
}

# three_runs DUMP ARGUMENT...
three_runs() {
  local dump=$1
  shift
  rm -rf "$tmp/cache"
  report cold "$dump" --no-cache "$@"
  report building "$dump" --cache-dir "$tmp/cache" --verbose "$@"
  expect_match err 'index of [0-9]+ bytes built$'
  report warm "$dump" --cache-dir "$tmp/cache" --verbose "$@"
  expect_no_match err 'bytes built$'
  expect_same cold building
  expect_same cold warm
}

dump=$E2E/sampled/quickstart.gcc-O2.heap
three_runs "$dump"
expect_match out 'quickstart\.cc:[0-9]+'

objcopy --compress-debug-sections=zlib "$bin/gcc-O2/quickstart" "$tmp/packed"
gzip -c "$dump" >"$tmp/dump.gz"
three_runs "$tmp/dump.gz" "$tmp/packed"

run --each --jobs 4 --no-cache -o "$tmp/each/{name}.txt" "$dumps"/*.heap
expect_status 0
expect_no_match err 'ThreadSanitizer'
expect_equal outputs "$(find "$dumps" -name '*.heap' | wc -l)" \
  "$(find "$tmp/each" -type f | wc -l)"
