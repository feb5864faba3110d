#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A flat dump by gperftools itself. Its heap profiler counts every allocation,
# so the values are those of the program.
. "$(dirname "$0")/common.inc"

readonly program=$bin/gcc-O2/inlining
HEAPPROFILE=$tmp/app LD_PRELOAD=libtcmalloc.so.4 "$program" 2>"$tmp/said"
readonly dump=$tmp/app.0001.heap
text "$dump"
expect_empty err
expect_equal "total" 479232 "$(total)"
expect_flat 'demo::Inner \(inline\)' 131072
expect_flat 'demo::Pool::Grow' 147456
expect_flat 'demo::HoldLambda::.*operator\(\)' 98304
expect_flat 'demo::Refill' 40960
expect_flat 'demo::HoldRecursive' 61440
expect_cum 'main' 479232
run --show_bytes --inuse_objects "$dump"
expect_equal "objects" 25 "$(total)"
jeprof --text --show_bytes "$program" "$dump" 2>/dev/null >"$tmp/jeprof"
expect_equal "jeprof's total" "Total: 479232 B" "$(head -n 1 "$tmp/jeprof")"

run info "$dump"
expect_match out "^  format +flat 'heap profile:' dump \\(jemalloc 3\\.6 or"
expect_match out '^  sampling +none: the totals are exact$'

# As it is shipped.
gzip "$dump"
run --collapsed "$program" "$dump.gz"
expect_match out ';demo::Middle\(int\);demo::Inner\(int\) 131072$'
