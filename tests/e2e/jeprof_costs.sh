#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Calls and source lines hold what jeprof says.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/accepted.inc"

# jeprof finds files and lines for few functions of today's binaries, and must
# not look for inlined ones. So it gets symbolized dumps without inlined calls:
# its costs of these are complete.
for dump in "$dumps"/{inlining,threads,shared_main}.gcc-O2.heap \
  "$dumps"/inlining.{gcc-O0,clang-O2}.heap \
  "$dumps"/warehouse.gcc-O2-static.heap; do
  run --raw --no-inlines -o "$tmp/dump.raw" "$dump"
  for metric in inuse_space alloc_objects; do
    jeprof --callgrind --$metric "$tmp/dump.raw" >"$tmp/jeprof" 2>"$tmp/err" ||
      fail "jeprof --callgrind" "status 0" "$?"
    run --callgrind --$metric "$tmp/dump.raw"
    expect_status 0
    differences=$(
      python3 -B "$ORACLE/compare_callgrind.py" "$tmp/jeprof" "$tmp/out"
    ) || fail "costs of ${dump##*/}" "those of jeprof" "$differences"
  done
done

# lines FILE: the values that --list shows for lines and for whole routines,
# except for lines that hold nothing.
lines() {
  accept routine-names lines-that-hold-nothing sums-of-recursion <"$tmp/$1"
}

readonly routines='^demo::(HoldChain|HoldRecursive|Refill)'
readonly dump=$dumps/inlining.gcc-O0.heap
jeprof --list="$routines" --show_bytes "$bin/gcc-O0/inlining" "$dump" \
  >"$tmp/listed" 2>"$tmp/err"
lines listed >"$tmp/jeprof"
[[ $(wc -l <"$tmp/jeprof") -ge 6 ]] || fail "lines" 6 "$(cat "$tmp/jeprof")"
run --list="$routines" --show_bytes --no-inlines "$dump"
expect_status 0
lines out >"$tmp/ours"
expect_same jeprof ours
