#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --add_lib names code that the memory map lacks, at the addresses that the
# file itself states.
. "$(dirname "$0")/common.inc"

readonly program=$bin/gcc-O2-nopie/inlining
readonly dump=$dumps/inlining.gcc-O2-nopie.heap
text "$dump"
cp "$tmp/out" "$tmp/whole"

# As if the program had been put there by hand.
sed "\| $program\$|d" "$dump" >"$tmp/part.heap"
text "$tmp/part.heap"
expect_no_match out 'demo::'
expect_match out ' 0x[0-9a-f]{16}$'
text --add_lib="$program" "$tmp/part.heap"
expect_same whole out

# jeprof, which needs some program, has the same names.
jeprof --text --show_bytes --add_lib="$program" "$bin/gcc-O2/growth" \
  "$tmp/part.heap" 2>/dev/null >"$tmp/jeprof"
sed -nE 's/^.* (demo::[A-Za-z:]+)( .*)?$/\1/p' "$tmp/jeprof" | sort -u \
  >"$tmp/their-names"
sed -nE 's/^.* (demo::[A-Za-z:]+)( .*)?$/\1/p' "$tmp/out" | sort -u \
  >"$tmp/our-names"
expect_match their-names 'demo::HoldRecursive'
expect_same their-names our-names

run --add_lib="$tmp/missing" "$dump"
expect_status 1
expect_match err 'error: .*/missing: '
